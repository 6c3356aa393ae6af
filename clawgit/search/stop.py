"""Words that say nothing by themselves."""

from collections.abc import Collection

# Articles, pronouns and the like; what a question is made of; verbs that go with everything.
_ENGLISH_WORDS = """
a an the and or of to in on at by for with from as about is are was were be been am do does did
has have had can could will would should may i you he she it we they me him her us them my your his its our their this
that these those what which who whom whose when where why how s t d m re ve ll
"""
# What questions are framed in, and what goes with everything: now and then a text is about it.
_FRAMES = """
kind sort mention mentions mentioned describe describes described happen happens happened please say says said tell
tells told ask asked go goes going went gone get gets getting got gotten want wants wanted come came here there not so
being doing done having myself yourself
"""
# German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian: a paragraph each.
_OTHER_WORDS = """
der die das den dem des ein eine einen einem einer und oder aber wenn von im in am an auf bei für mit aus als ist sind
war waren wird wurde wurden haben hat hatte hatten zu zum zur ich du er sie es wir ihr mich mir uns mein meine dein
unser dich dir euch habe hast habt sich man beim vom was welche welcher wer wen wem wann wo warum wie nicht kein keine
so auch noch nur über

le la les un une des du de et ou mais si dans en sur par pour avec est sont était étaient sera ont avait a à au aux je
tu il elle nous vous ils elles me moi mon ma mes ton ta tes notre votre que quoi quel quelle qui quand où pourquoi
comment ne pas plus ce cette ces se sa son ses l d c s n qu est-ce

el la los las he has hemos un una unos unas de del y o pero si en por para con es son era eran fue fueron ha han había
al a yo tú él ella nosotros ellos me mi mis tu tus su sus nuestro que qué cuál quién cuándo cuando dónde donde cómo
como no más se lo le les este esta estos cuanto cuánto

il lo la i gli le un uno una di del della dei delle e o ma se in nel nella su per con è sono era erano ha hanno aveva
al alla a io tu lui lei noi voi loro mi mio mia tuo suo nostro ho hai che cosa quale chi quando dove perché come non
più si questo questa quanto l d

o a os as um uma de do da dos das e ou mas se em no na nos nas por para com é são era eram foi foram tem têm tinha ao
à eu tu ele ela nós eles me meu minha seu sua nosso que qual quem quando onde porquê porque como não mais este esta
isso

de het een en of maar als van in op bij voor met uit is zijn was waren wordt werd heeft hebben had te ik jij je hij
zij ze wij we mij ons mijn jouw zijn haar onze wat welke wie wanneer waar waarom hoe niet geen er dat die dit deze ook
nog

och en ett den det de som i på av för med är var har hade till jag du han hon vi ni mig min din vår vad vilken vem när
var varför hur inte

i w z na do od po za przez dla o u ze się jest są był była było byli ma miał mieć nie to ten ta te co kto kiedy gdzie
dlaczego jak ja ty on ona my wy mój moja nasz który która

и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по её мне было вот от меня о из ему когда
где кто почему какой какая какие мы наш мой это
"""  # noqa: RUF001 - Cyrillic is meant

_ENGLISH = frozenset(f"{_ENGLISH_WORDS} {_FRAMES}".split())
_OTHERS = tuple(frozenset(part.split()) for part in _OTHER_WORDS.split("\n\n"))
_FEWEST = 2

_TELLING = frozenset(_FRAMES.split())


def telling(said: Collection[str]) -> frozenset[str]:
    """Return those of the words to pass over that say a little after all: now and then a text is about them.

    Of English these are the words of a question's frame, of other languages all: what they are is not known as well.
    """
    passed = words(said)
    return _TELLING if passed is _ENGLISH else passed


def words(said: Collection[str]) -> frozenset[str]:
    """Return the words to pass over in a text of these words: those of English, and of the language it seems to be in.

    Another language counts only where more of its small words stand than English ones: `die` and `war` mean something.
    """
    english = sum(word in _ENGLISH for word in said)
    best = max(_OTHERS, key=lambda known: sum(word in known for word in said))
    times = sum(word in best for word in said)
    return _ENGLISH | best if times >= _FEWEST and times > english else _ENGLISH
