"""Words that tell what a difference between two notes means."""

from clawgit.text.sameness.note import bag
from clawgit.text.sameness.synonyms import NEGATIONS

PLANS = bag(
    "plan plans planned planning will going want wants intend intends todo hope hopes should might may could maybe"
    " considering consider tentative tentatively proposed draft next upcoming tomorrow scheduled"
    " plant planen will möchte soll wollen geplant planea planean planeamos quiere va prévoit prévu veut"
    " 计 划 打 算 将 予 定 つもり 예정 계획"
)
DONE = bag(
    "was were did went came took had got made sent met saw said told began became built bought brought chose drove"
    " ate fell felt found flew gave grew held kept knew led left lost paid ran rose sold slept spoke spent stood won"
    " wrote done shipped hatte war wurde wurden ging fuhr kam gab fue fueron fuimos"
    " hizo estuvo été"
    " 了 过 た だった 했 았 었"
)
ONCE = bag(
    "born founded married joined died launched chose decided decision agreed named appointed hired elected set"
    " booked scheduled rescheduled moved switched migrated renamed assigned settled picked chosen fixed due geboren"
    " gegründet entschieden verschoben gewählt nació fundada decidimos elegimos movió né fondée décidé choisi 决 定 选"
    " 決 結婚 결정"
)
"""What happens once, or what is in force from then on."""
FORCED = bag("chose decided decision agreed settled picked chosen entschieden decidimos elegimos décidé 决 定 決 결정")
"""What leaves a choice in force, whenever it was made."""
VERBS = (
    bag(
        "is are was were use have has had live stand run listen prefer like works work stay sit cost take"
        " last need want"
        " own speak drive study meet report belong start end begin open close expire move serve host store keep write"
        " point default contain include hold support require allow know eat drink drink play teach lead manage handle"
        " pay earn weigh sleep wake arrive leave depart return fly ship deploy build back backup rotate"
        " renew send go goes"
        " come comes get gets make makes prefers lives runs stands listens costs takes lasts needs wants owns speaks"
        " drives studies meets reports belongs starts ends begins opens closes expires moves serves hosts"
        " stores keeps"
        " writes points defaults contains includes holds supports requires allows knows eats drinks plays"
        " teaches leads"
        " manages handles pays earns weighs sleeps wakes arrives leaves departs returns flies ships deploys"
        " builds backs"
        " rotates renews sends uses reads read sits replies lies lie happens happen falls fall must may can should"
        " shall cannot connects connect retries retry waits wait reaches reach measures measure fits fit seats seat"
        " nutzt läuft wohnt liegt hat kostet dauert beginnt endet startet hört arbeitet braucht steht fährt spricht"
        " bevorzugt trinkt isst mag heißt gehört leitet öffnet schließt usa vive tiene cuesta dura empieza"
        " termina corre"
        " escucha trabaja necesita prefiere habla bebe come abre cierra utilise habite coûte dure commence écoute"
        " travaille préfère parle ouvre ferme"
    )
    | ONCE
    | DONE
)
DIRECT = bag(
    "use uses used using choose chose chosen pick picked prefer prefers = named called renamed drive drives assigned"
    " default defaults nutzt nutzen verwendet heißt bevorzugt fährt usa usamos utiliza llama prefiere utilise utilisons"
    " préfère appelle"
)
"""What has one object at a time, right behind it."""
LINKED = bag(
    "live lives lived run runs ran host hosts hosted deploy deploys deployed store stores stored work works worked"
    " locate located base based report reports belong belongs moved move migrated switched listen listens born decided"
    " write writes written set point points stay stays sit sits stand stands study studies maintained owned managed led"
    " approved reply replies answer answers respond go goes starts ends flies fly departs leaves arrives"
    " handled served booked sign signed connects lies"
    " läuft wohnt liegt arbeitet gehört berichtet vive vives trabaja corre está habite travaille tourne"
)
"""What is in one place, or has one end, at a time: behind a word that links them."""
LINKS = bag(
    "on in at to by with from as for über auf in an bei zu nach von mit en a de con por sur à dans chez the over's be"
)
"""What may stand between such a verb and its object."""
SCOPES = bag("for für para pour during while when if wenn si quand cuando about regarding except unless")
"""What narrows a note to a part of its matter: another part is another matter."""
COUNTED = bag(
    "sprint week quarter phase chapter episode season version release round lesson part step invoice ticket issue pr"
    " day level task item question exercise milestone q vol volume appendix section line page order case"
    " woche kapitel"
    " folge semana capítulo"
)
"""What is told apart by its number."""
DENIALS = NEGATIONS | bag("不 没 沒 無 无 未 非 否 别 勿 안 못 않 아니다")
SINCE = bag("since from now nowadays currently starting effective seit ab desde depuis 从 起 부터 から")
