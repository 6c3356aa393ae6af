# ruff: noqa: E501, RUF001 - questions as they are written
"""Questions that name a day: how often a note of that day comes first, in six languages.

    python benchmarks/search/asked_days.py                   totals of 30 questions that search was mended by, and of 30 others
    python benchmarks/search/asked_days.py --misses          and the questions of the first 30 that fail

Each language has a workspace of 110 journals whose notes are about the same ten matters, so that the matter tells no
day; others name weekdays and months, and stand elsewhere. Today is Friday, 20 November 2026.
"""

import argparse
import random
import shutil
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

from clawgit.search import corpus, recall, store
from clawgit.search.answer import Query
from clawgit.search.rank import Rules

TODAY = date(2026, 11, 20)
NOTES = {
    "en": "The invoice over {} euros was paid. The bakery called back {} times. Deploy number {} went well. Ana walked {} "
    "steps. The server restarted {} times. Read {} pages on the train. {} parcels arrived. The dentist wants {} euros. "
    "Planted {} tulips. The printer jammed {} times",
    "de": "Die Rechnung über {} Euro ist bezahlt. Die Bäckerei rief {} Mal an. Auslieferung {} lief gut. Ana ging {} "
    "Schritte. Der Server startete {} Mal neu. Im Zug {} Seiten gelesen. {} Pakete kamen an. Der Zahnarzt will {} Euro. "
    "{} Tulpen gepflanzt. Der Drucker klemmte {} Mal",
    "fr": "La facture de {} euros est payée. La boulangerie a rappelé {} fois. Le déploiement {} est passé. Ana a fait {} "
    "pas. Le serveur a redémarré {} fois. Lu {} pages dans le train. {} colis sont arrivés. Le dentiste veut {} euros. "
    "Planté {} tulipes. L'imprimante a bourré {} fois",
    "es": "La factura de {} euros está pagada. La panadería llamó {} veces. El despliegue {} salió bien. Ana dio {} pasos. "
    "El servidor se reinició {} veces. Leídas {} páginas en el tren. Llegaron {} paquetes. El dentista pide {} euros. "
    "Plantados {} tulipanes. La impresora se atascó {} veces",
    "zh": "付了{}元的发票. 面包店打来{}次电话. 第{}次发布顺利. 安娜走了{}步. 服务器重启了{}次. 在火车上读了{}页. 收到{}个包裹. "
    "牙医要{}元. 种了{}株郁金香. 打印机卡了{}次",
    "ja": "{}円の請求書を払った. パン屋から{}回電話があった. {}回目のリリースは順調. アナは{}歩歩いた. サーバーが{}回再起動した. "
    "電車で{}ページ読んだ. 荷物が{}個届いた. 歯医者は{}円. チューリップを{}本植えた. プリンターが{}回詰まった",
}
ELSEWHERE = {
    "en": "Bins go out every Tuesday. Rent is due every 30 days. Thursday is for reviews. November is for taxes",
    "de": "Müll wird jeden Dienstag geholt. Miete alle 30 Tage. Montag ist Putztag. November ist Steuermonat",
    "fr": "Poubelles chaque mardi. Loyer tous les 30 jours. Lundi, ménage. Novembre, les impôts",
    "es": "La basura cada martes. Alquiler cada 30 días. El lunes, limpieza. Noviembre, impuestos",
    "zh": "每周三倒垃圾. 每30天交房租. 周一打扫. 十一月报税",
    "ja": "毎週水曜日はゴミの日. 30日ごとに家賃. 月曜日は掃除. 十一月は確定申告",
}
SEEN = {
    "en": "what happened last Tuesday? 17|what about the invoice 3 days ago? 17|What did we do yesterday? 19"
    "|what was decided on November 12? 12|what's planned next Friday? 27",
    "de": "was war letzten Dienstag? 17|was war vor 3 Tagen mit der Rechnung? 17|Was haben wir gestern gemacht? 19"
    "|was steht übermorgen an? 22|was wurde am 12. November beschlossen? 12",
    "fr": "que s'est-il passé mardi dernier ? 17|la facture il y a 3 jours 17|qu'avons-nous fait hier ? 19"
    "|qu'est-ce qui est prévu demain ? 21|qu'a-t-on décidé le 12 novembre ? 12",
    "es": "¿qué pasó el martes pasado? 17|¿qué hubo con la factura hace 3 días? 17|¿qué hicimos ayer? 19"
    "|¿qué hay mañana? 21|¿qué decidimos el 12 de noviembre? 12",
    "zh": "昨天做了什么？ 19|3天前发票怎么了 17|明天有什么安排 21|上周三做了什么 11|11月12日决定了什么 12",
    "ja": "昨日何をした？ 19|3日前に請求書はどうなった？ 17|明日の予定は？ 21|先週の水曜日は何をした？ 11"
    "|11月12日に何を決めた？ 12",
}
BLIND = {
    "en": "anything noteworthy the day before yesterday? 18|what went on with the parcels on the 9th of November? 9"
    "|what have we got tomorrow? 21|how was Monday? 16|which pages did I read on Wednesday of last week? 11",
    "de": "was war vorgestern los? 18|Was passierte am 9.11.2026 mit den Paketen? 9|was ist morgen? 21"
    "|wie lief der Montag? 16|was notierte ich am Mittwoch letzter Woche? 11",
    "fr": "qu'est-ce qui s'est passé avant-hier ? 18|et les colis du 9 novembre ? 9|quoi de prévu après-demain ? 22"
    "|comment était lundi ? 16|que faire vendredi prochain ? 27",
    "es": "¿qué pasó anteayer? 18|¿qué apunté de los paquetes el 9 de noviembre? 9|¿qué hay pasado mañana? 22"
    "|¿cómo fue el lunes? 16|¿qué toca el próximo viernes? 27",
    "zh": "前天发生了什么 18|后天有什么事 22|十一月九号的包裹 9|这周一怎么样 16|五天前 15",
    "ja": "一昨日何があった？ 18|明後日の予定は？ 22|11月9日の荷物 9|月曜日はどうだった？ 16|五日前 15",
}


def written(root: Path, language: str) -> None:
    """Write journals of 100 days up to today, and plans of ten days to come."""
    chance, notes = random.Random(4), NOTES[language].split(". ")
    (root / "memory").mkdir(parents=True)
    for away in range(-100, 10):
        day = TODAY + timedelta(away)
        text = [f"- {note.format(chance.randint(2, 900))}" for note in chance.sample(notes, len(notes))]
        (root / f"memory/{day}.md").write_text("\n".join([f"# {day}", "", *text, ""]), "utf-8")
    lines = [f"- {item}" for item in ELSEWHERE[language].split(". ")]
    (root / "MEMORY.md").write_text("\n".join(["# Memory", "", *lines, ""]), "utf-8")


def right(root: Path, questions: str) -> list[tuple[str, date | None]]:
    """Return the questions whose first hit is of another day, with that."""
    index_store = store.open_store(None)
    store.refresh(index_store, lambda: corpus.sources(root))
    missed = []
    for item in questions.split("|"):
        question, _, day = item.rpartition(" ")
        results, _, _ = recall.answers(index_store, Query(question), Rules(today=TODAY))
        first = results[0].place.day if results else None
        if first != date(2026, 11, int(day)):
            missed.append((question, first))
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="name the questions of the first half that fail")
    parser.add_argument("--seen", action="store_true", help="only the first half")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="clawgit-days-"))
    halves = {"mended by": SEEN} if options.seen else {"mended by": SEEN, "not looked at": BLIND}
    try:
        for language in NOTES:
            written(work / language, language)
        for name, half in halves.items():
            missed = {language: right(work / language, question) for language, question in half.items()}
            total = sum(len(question.split("|")) for question in half.values())
            print(f"{name}: {total - sum(map(len, missed.values()))} of {total}")
            if options.misses and half is SEEN:
                for language, group in missed.items():
                    for question, day in group:
                        print(f"  {language}: {question} -> {day}")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
