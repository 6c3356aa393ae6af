"""German words that tell remarks."""

from collections.abc import Mapping

GERMAN: Mapping[str, str] = {
    "you": (
        "du, dich, dir, dein*, hast, bist, kannst, könntest, willst, musst, sollst, solltest, brauchst, weißt, "
        "machst, sagst, schreibst, redest, euch"
    ),
    "toward": (
        "mir, mich, mit mir, zu mir, sag mir, frag mich, meine frage, meine worte, was ich sage, was ich gesagt, "
        "was ich gefragt"
    ),
    "talk": (
        "antwort*, nachricht*, wortwahl, formulierung*, ton, begrüßung*, anrede, floskel*, witz*, scherz*, "
        "entschuldig*, erklärung*, vortrag*, vorlesung*, vermutung*, meinung*, zusammenfass*, einleitung*, "
        "vorrede, vorspann, schluss*, füllwort*, fachchinesisch, fachwörter, abkürzung*, emoji*, ausrufezeichen, "
        "aufzählung*, absatz, absätze, satz, sätze, urteil*, warnung*, ratschlag*, ratschläge, tipps, lob, "
        "kompliment*, geplauder, roman, predigt, belehr*, bedenken, gelaber, gerede, duzen, siezen, höflichkeit*,"
        " sprache"
    ),
    "form": (
        "zeile*, liste*, tabelle*, wort, worte, wörter, zahl*, name*, notiz*, bericht*, entwurf, entwürfe, "
        "option*, möglichkeit*, alternative*, grund, gründe, quelle*, beispiel*, frage*, schritt*, punkt*, "
        "seite*, reihenfolge, kurz, kürzer, lang, länger, oben, unten, anfang, ende, hinweis*, erinnerung*, "
        "sache*, einheit*, betrag, beträge, uhrzeit*, fakten"
    ),
    "speak": (
        "sag*, sprich*, sprech*, rede*, frag*, antworte*, schreib*, erklär*, wiederhol*, erwähn*, vorschlag*, "
        "vorschläg*, erinner*, rat*, nenn*, kling*, lies*, gelesen, unterbrich*, zitier*, streit*, widersprich*, "
        "zugeb*, warn*, lob*, beginn*, fang*, hör*, zeig*, prüf*, runde*, kürz*, versteck*, meld*, weck*, duz*, "
        "siez*, grüß*, behaupt*, zusammenreim*, gemeint, meinst, gesagt, geschrieben, gefragt, erzähl*, gib, "
        "nachfrag*"
    ),
    "bid": (
        "^sag, ^schreib, ^frag, ^antworte, ^gib, ^nenn, ^fang, ^beginn, ^lass, ^spar, ^bleib, ^mach, ^nimm, "
        "^zeig, ^erklär, ^sprich, ^rede, ^halt, ^sei, ^warte, ^hör, ^zitier, ^komm, ^duz, ^nur, ^erst, ^zuerst, "
        "^kurz, ^weniger, ^einfach, sag bitte, frag bitte, bitte sag, bitte schreib, frag lieber, sag lieber, geh"
        " davon aus, reicht|, genügt|"
    ),
    "forbid": (
        "^kein, ^keine, ^nicht, ^nie, ^hör auf, musst du nicht, musst mir nicht, brauchst du nicht, brauchst mir "
        "nicht, kannst du dir sparen, kannst du weglassen, bitte nicht, bitte keine, ohne, lass das, lass die, "
        "lass den, statt mir, will ich nicht, brauch ich nicht, spar dir, verzicht*"
    ),
    "rather": (
        "ich möchte, ich will, ich hätte, mir ist lieber, lieber, am liebsten, ich mag, ich brauche, wäre besser,"
        " hilft mir, wünsch*, bevorzug*, wichtig, würde"
    ),
    "must": "sollst, solltest, musst, kannst, könntest, darfst, brauchst, soll, muss",
    "lasting": (
        "immer, nie, niemals, jedes mal, ab jetzt, ab sofort, ab heute, von nun an, künftig, in zukunft, "
        "grundsätzlich, nicht mehr, nächstes mal, stets, dauernd, ständig, überall, jeden tag, jeden morgen, auf "
        "dauer"
    ),
    "case": (
        "wenn ich, wenn du, wenn es, wenn jemand, wenn etwas, wenn was, falls, sobald, solange, bevor du, bevor "
        "ich, nur wenn, erst wenn, bei mir, mit ihr, mit ihm, mit ihnen, bei kunden"
    ),
    "again": (
        "wieder, schon wieder, und wieder, erneut, nochmal, noch mal, zum zweiten mal, zum dritten mal, immer "
        "noch, schon gesagt, hab ich doch, hab dir, habe dir, wie letzte, wie neulich, wie beim letzten, diesmal,"
        " zweimal, dreimal, weiterhin, da ist es"
    ),
    "former": (
        "früher, seit wann, neuerdings, in letzter zeit, ausgemacht, abgemacht, vereinbart, warst, wurdest, "
        "geworden, was ist aus, hattest, vor ein paar, anfangs, zurück zu, vergessen, verlernt, nachgelassen"
    ),
    "like": (
        "gefällt, gut, super, toll, klasse, perfekt, genau so, genau, prima, schön, besser, top, danke, dankbar, "
        "freut, mag ich, liebe, hilfreich, praktisch, richtig, so ist, na bitte, geht doch, lob"
    ),
    "helped": (
        "hilft mir, hat geholfen, geholfen, gerettet, konnte, sofort, auf einen blick, leichter, einfacher, "
        "schneller, verstanden, erspart, beruhigt, ohne zu"
    ),
    "keep": (
        "so weiter, weiter so, immer so, mach das, behalt*, beibehalten, bleib dabei, genau so, bitte immer, "
        "nochmal so, wieder so, bitte so, mach weiter"
    ),
    "way": "wie du, dass du, so, diese art, deine art, die art, wenn du, das mit, der trick",
    "able": (
        "du kannst, das kannst du, kannst du, kannst ja, alles richtig, fehlerfrei, hätte ich nie, wusste nicht, "
        "verstehst, hast du erkannt, hast alles, sogar, wirklich, stimmt alles, komplett"
    ),
    "rely": (
        "ab jetzt, künftig, von nun an, verlass*, übernimm*, überlass*, schick ich dir, machst du, kannst du "
        "machen, dann kannst du, geb ich dir"
    ),
    "fault": (
        "zu viel, zu lang, zu kurz, falsch, nicht, kein, keine, niemand, unnötig, überflüssig, klingt wie, liest "
        "sich, ich musste, musste ich, suchen, scrollen, versteckt, unklar, verwirr*, halb, kalt, steif, so viel,"
        " so lang, vier, fünf, dreimal, warum der, warum das"
    ),
    "suffices": (
        "reicht, genügt, nur, einfach, eine frage, ein satz, eins nach dem, mehr nicht, sonst nichts, höchstens, "
        "schluss|, fertig|, und gut, und fertig"
    ),
    "annoyed": (
        "nervt, nervig, ärger*, satt, genug, bitte, ehrlich, ernsthaft, mensch, callcenter, kundendienst, "
        "beleidig*, peinlich, ich bin kein, ich bin, ich weiß, buchstabensalat, was soll das, na toll, herrje, "
        "verdammt, roman"
    ),
    "asked": (
        "ich habe gefragt, ich wollte, ich wollt, ich meinte, ich hab gefragt, nicht gefragt, meine frage, danach"
        " gefragt, ungefragt, wissen ob, wissen obs, wenn ich frage, ich sag"
    ),
    "contrast": (
        "statt, anstatt, sondern, nicht nur, zuerst, erst, dann, vorher, vorab, nachher, hinterher, andersrum, "
        "umgekehrt, als, eher, eigentlich, tatsächlich, ganz"
    ),
    "third": (
        "er, sie, ihn, ihm, ihr, mein chef, meine chefin, mein mann, meine frau, meine mutter, mein vater, mein "
        "bruder, meine schwester, die leute, der fahrer, die bahn, alle, jemand, oma, opa"
    ),
    "begins other": "^er, ^sie, ^es, ^der, ^die, ^das, ^wir, ^mein, ^meine, ^ein, ^eine, ^unser",
    "begins you": "^du, ^dein, ^deine, ^hast du, ^kannst du",
    "begins I": "^ich, ^bin, ^hab, ^habe, ^war",
    "task": (
        "^wann, ^was, ^wo, ^wer, ^wie, ^welche, ^warum, ^ist, ^sind, ^gibt, ^kann, ^stell, ^übersetze, ^such, "
        "^buch, ^bestell, ^druck, ^schick, ^trag, ^schreib auf, ^schreib an, ^verschieb"
    ),
    "once": (
        "heute, morgen, gestern, diesmal, nur heute, hier, dieser, diesen, dieses, der brief, am montag, am "
        "freitag, nachher, jetzt gleich, schild, zettel"
    ),
    "fiction": (
        "vielleicht, eventuell, tu so, tu mal so, stell dir vor, angenommen, spiel*, film, buch, lied, witz*, "
        "roman, radio, serie, haha, rezept"
    ),
    "chat": "moin, hallo, guten, tschüss, bis morgen, feierabend, glückwunsch, viel spaß, urlaub, familie",
    "world": (
        "wetter, regen, bahn, zug, bus, laden, kuchen, essen, hund, katze, auto, drucker, brief, kaffee, honig, "
        "nachbar*, garten, schule"
    ),
    "idle": (
        "kein problem, gern geschehen, mach dir keine, meld dich, sag bescheid, keine sorge, viel glück, pass "
        "auf, vielen dank für, bis dann, alles gute, gleichfalls, macht nichts"
    ),
    "hearsay": "sagt, sagte, meinte, meint, hat gesagt, heißt es, angeblich, schrieb, erzählte",
    "fact": (
        "montag*, dienstag*, mittwoch*, donnerstag*, freitag*, samstag*, sonntag*, januar, februar, märz, april, "
        "juni, juli, august, september, oktober, november, dezember, euro, prozent, geburtstag, flug, straße, "
        "stock, umgezogen, verheiratet, adresse"
    ),
    "denies": "^nein, ^falsch, ^stimmt nicht, ^doch, ^eigentlich, ^moment, ^sorry",
}
