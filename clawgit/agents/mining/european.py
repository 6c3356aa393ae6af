"""What German, Spanish and French sentences ask, order and tell."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

from clawgit.agents.mining.listed import listed
from clawgit.agents.mining.tongue import tongue

SMALL = listed(
    "ich du er sie es wir ihr und oder aber der die das den dem des ein eine einen einem einer ist sind war hat"
    " habe haben mein meine meinen meiner nicht kein keine mit für auf gegen zum zur im vom wird werden wurde auch"
    " noch bitte danke läuft uns unser unsere yo el los las una unos del que y pero con para por está es soy tengo"
    " he mi mis nuestro nuestra gracias muy se lo hemos tiene je j'ai le les une des du et mais avec pour dans sur"
    " est suis nous mon ma notre merci très pas ne ai avons c'est au aux a la en un de se sur"
)
"""Words by which such a sentence is told from an English one."""

EUROPEAN = tongue(
    {
        "ask": r"^¿|^(?:kannst|könntest|könnten|können|hast|haben|bist|ist|sind|willst|magst|machst|darf|soll|was|wie|warum|wieso|wann|wo|wer|welche[rs]?) (?:du|ihr|sie|wir|es|das|der|die|ich)\b|^(?:puedes|podrías|qué|cómo|cuándo|dónde|por qué|quién|est-ce|peux-tu|pourrais-tu|pouvez-vous|pourquoi|comment|quand|où|qui|quel)\b",
        "order": r"^(?:bitte |por favor,? |s'il te plaît,? |dann |jetzt |und )*(?:öffne|zeig|zeige|schau|prüf|prüfe|starte|stoppe|lösche|schreib|schreibe|sag|gib|mach|mache|nimm|lies|such|suche|ändere|erstelle|schick|schicke|lass|fass|hilf|übersetze|führe|abre|muestra|muéstrame|mira|revisa|ejecuta|borra|escribe|dime|dame|haz|pon|busca|cambia|crea|envía|ayuda|traduce|ouvre|montre|regarde|vérifie|lance|supprime|écris|dis|donne|fais|mets|cherche|change|crée|envoie|aide|traduis)\b|\bbitte\b.*(?:\bmal\b|\ban\b|\bauf\b)[.!]*$",
        "plant": r"\b(?:ignorier\w*|vergiss|missachte|ignora|olvida|ignore|oublie)\b.{0,30}\b(?:regeln|anweisungen|vorgaben|reglas|instrucciones|règles|instructions|consignes)\b|\b(?:ab jetzt|von nun an|immer|künftig|a partir de ahora|siempre|désormais|à partir de maintenant|toujours)\b.{0,24}\b(?:weiterleit\w*|leite|führe|ausführ\w*|schick\w*|sende\w*|reenvía|ejecuta|envía|transfère|exécute|envoie)\b|\b(?:merk|speicher|recuerda|guarda|retiens|souviens)\w*\b.{0,20}\b(?:schlüssel|passwort|kennwort|token|clave|contraseña|clé|mot de passe)\b|\b(?:du bist|eres|tu es) (?:jetzt|ab jetzt|ahora|maintenant)\b|\b(?:soul|agents|memory)\.md\b",
        "role": r"\b(?:tu so|spiel\w* (?:eine|die) rolle|stell dir vor|finge|imagina que|haz de cuenta|fais semblant|imagine que|joue le rôle)\b|\b(?:gedicht|geschichte|witz|cuento|poema|chiste|histoire|poème|blague)\b",
        "idle": r"^(?:danke|vielen dank|super|toll|klasse|prima|perfekt|ok|okay|ja|nein|genau|hallo|hi|guten (?:morgen|tag|abend)|gute nacht|tschüss|gracias|muchas gracias|genial|perfecto|hola|buenos días|buenas|adiós|sí|no|vale|merci|super|parfait|génial|bonjour|bonsoir|salut|oui|non|d'accord)\b[\s,.!]*(?!\S)|^(?:danke|gracias|merci|hallo|hola|bonjour|salut|guten (?:morgen|tag|abend))\b|\b(?:müde|hungrig|cansad[oa]|fatigué|fatiguée)\b|\b(?:moment|einen augenblick|un momento|un instant)\b",
        "unsure": r"^(?:vielleicht|eventuell|möglicherweise|quizás|quizá|tal vez|peut-être)\b|\b(?:wäre|hätte|könnten wir|könnte man|würde|sería|podríamos|estaría|serait|pourrait|on pourrait)\b|\birgendwann\b|\bwenn ich\b.*\bwürde\b|\balgún día\b|\bun jour\b|\bkeine ahnung\b|\bno sé\b|\bje ne sais pas\b",
        "note": r"^(?:bitte )?(?:merk dir|denk daran|vergiss nicht|nicht vergessen|recuerda|no olvides|souviens-toi|n'oublie pas)\b|\b(?:wichtig|importante|important):",
        "lesson": r"\b(?:gelernt|ursache|lag daran|es lag an|gelöst|behoben|lección|aprendimos|aprendí|la causa|se arregló|leçon|appris|la cause|résolu)\b",
        "decision": r"\b(?:entschieden|beschlossen|entscheidung|vereinbart|geeinigt|geplant|plan(?:en|e)?|nehmen wir|decidi\w*|decisión|acordamos|acordado|elegi\w*|plane\w*|vamos a|voy a|décidé|décision|convenu|choisi|prévu|allons|vais)\b",
        "preference": r"\b(?:lieber|mag|liebe|liebsten|bevorzuge|hasse|lieblings\w*|prefiero|me gusta|odio|favorit[oa]|me encanta|préfère|j'aime|j'adore|déteste|préféré|préférée)\b",
        "happened": r"\b(?:termin|hochzeit|heirate\w*|flug|fliege\w*|prüfung|geburtstag|operation|cita|boda|casa|vuelo|viaje|examen|cumpleaños|rendez-vous|mariage|marie|vol|voyage|anniversaire)\b",
        "report": r"^(?:erledigt[.,!]? |hecho[.,!]? |fait[.,!]? )?(?:ich habe|he|j'ai)\b.{1,80}\b(?:verschoben|gebucht|aktualisiert|gekündigt|storniert|geändert|installiert|bezahlt|gesendet|umgestellt|eingerichtet|movido|reservado|actualizado|cancelado|cambiado|instalado|pagado|enviado|déplacé|réservé|annulé|changé|installé|payé|envoyé)\b|^(?:he (?:movido|reservado|actualizado|cancelado|cambiado|instalado|pagado|enviado)|j'ai (?:déplacé|réservé|annulé|changé|installé|payé|envoyé))\b",
        "leans": r"^(?:und |aber |y |pero |et |mais )?(?:es|das|dies|diese|er|sie|eso|esto|él|ella|ellos|c'est|ça|cela|il|elle|ils|elles)\b",
        "hangs": r"(?:\b(?:der|die|das|den|dem|ein|eine|einen|und|oder|aber|mit|für|auf|in|im|zu|zum|zur|von|weil|dass|mein|meine|ist|hat|habe|el|la|los|las|un|una|de|del|que|y|o|con|para|por|en|mi|le|les|une|des|du|et|ou|avec|pour|dans|sur|mon|ma|est)\b|[,(\[\-–—:;„«])\s*$",
    },
    {
        "self": r"\b(?:ich|mich|mir|mein\w*|yo|mi|mis|tengo|soy|estoy|he|vivo|trabajo|prefiero|me|je|j'\w+|mon|ma|mes)\b",
        "us": r"\b(?:wir|uns|unser\w*|nosotros|nuestr[oa]s?|hemos|nous|notre|nos)\b",
        "you": r"\b(?:du|dich|dir|dein\w*|tú|tu|te|ti|toi|vous|votre)\b",
        "past": r"\b(?:war|waren|hatte|wurde|ge\w{3,}(?:t|en)|\w{2,}(?:ge\w{2,}(?:t|en))|\w+(?:iert|schrieben|schlossen|schieden|kommen|zogen)|\w{3,}(?:é|ó|aron|ieron|ado|ido)|fue|era|été|était|\w{3,}(?:é|ée|és))\b",
        "perfect": r"\b(?:habe|hat|haben|he|ha|hemos|han|ai|a|avons|ont)\b",
        "change": r"\b(?:umgezogen|unterschrieben|gekauft|verkauft|angefangen|beginn\w*|gewechselt|gekündigt|verlegen|verlegt|heirate\w*|geheiratet|geboren|verloren|kaputt|wechsel\w*|mudé|mudamos|compré|vendí|empecé|empezamos|cambié|firmé|casé|perdí|déménagé|acheté|vendu|commencé|changé|signé|marié|perdu)\b",
        "decide": r"\b(?:entschieden|beschlossen|vereinbart|plan\w*|decidi\w*|acordamos|voy a|vamos a|décidé|convenu|prévu)\b",
        "taste": r"\b(?:lieber|mag|liebe|bevorzuge|hasse|lieblings\w*|allergi\w*|prefiero|gusta|odio|encanta|alérgic[oa]|préfère|aime|adore|déteste|allergique)\b",
        "lesson": r"\b(?:weil|ursache|gelöst|muss|nur|porque|causa|solo|parce|cause|seulement|doit)\b",
        "habit": r"\b(?:läuft|heißt|wohne|wohnt|arbeite\w*|benutze\w*|nutze\w*|nimmt|nehme|kostet|braucht|brauche|gehört|vivo|vive|trabajo|trabaja|uso|usamos|cuesta|funciona|llama|tiene|tengo|habite|travaille|utilise\w*|coûte|fonctionne|appelle|prends)\b",
        "task": r"\b(?:code|test|tests|fehler|datei|zeile|seite|knopf|titel|funktion|código|archivo|línea|página|botón|título|función|fichier|ligne|page|bouton|titre|fonction|erreur)\b",
        "reaction": r"\b(?:danke|super|toll|klasse|glückwunsch|schön|gracias|genial|felicidades|qué bien|merci|bravo|félicitations|génial)\b",
        "hedge": r"\b(?:vielleicht|könnte\w*|würde\w*|wohl|quizás?|tal vez|podría\w*|peut-être|pourrai\w*)\b",
        "if": r"\b(?:wenn|falls|si)\b",
        "kin": r"\b(?:frau|mann|sohn|tochter|kind\w*|mutter|vater|schwester|bruder|oma|opa|familie|hund|katze|mujer|esposa|marido|hijo|hija|madre|padre|hermana|hermano|abuela|perro|gato|femme|mari|fils|fille|mère|père|soeur|sœur|frère|chien|chat)\b",
        "when": r"\b(?:gestern|heute|morgen|woche|monat|jahr\w*|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|juni|juli|august|september|oktober|november|dezember|uhr|seit|ayer|hoy|mañana|semana|mes|año\w*|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|desde|hier|aujourd'hui|demain|semaine|mois|an|ans|année|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|depuis)\b",
        "number": r"\d|\b(?:zwei|drei|vier|fünf|sechs|zehn|dos|tres|cuatro|cinco|seis|diez|deux|trois|quatre|cinq|six|dix)\b",
        "matter": r"\b(?:\w*server|datenbank|port|sicherung|backup|termin|mietvertrag|miete|vertrag|rechnung|version|domain|budget|reisepass|versicherung|servidor|puerto|base de datos|copia|contrato|alquiler|factura|pasaporte|seguro|serveur|base de données|sauvegarde|contrat|loyer|facture|passeport|assurance)\b",
    },
)
