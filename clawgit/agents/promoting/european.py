"""German and Spanish of what lasts and what does not."""
# ruff: noqa: E501 -- a pattern is read whole

from collections.abc import Mapping

from clawgit.agents.promoting.triggers import Category

_DATE = r"(?:20\d\d(?:-\d\d-\d\d)?|(?:\d{1,2}\.? ?(?:de )?)?(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre))"

FIRM: Mapping[Category, str] = {
    "explicit": r"\b(?:für immer|dauerhaft|gut|bitte) merken\b|\bmerk(?:e|t)? (?:dir|euch|es dir)\b|\bnie vergessen\b|\bmuss (?:\w+ )?bleiben\b|\b(?:will|möchte|wünscht|bittet)\b.{0,30}\b(?:festgehalten|behalten|gemerkt|auswendig|merke|vergesse)|\bauswendig\b|\bWICHTIG:|\brecu[eé]rda(?:lo|me|r(?:lo)?)?\b(?: siempre| que| para siempre)|\b(?:quiere|pide)\b.{0,30}\b(?:quede|recuerde|guarde|memoria|olvide)|\bno (?:lo )?olvid(?:es|ar) nunca\b|\bde memoria\b|\bIMPORTANTE:|\bnunca olvid",
    "decision": r"\b(?:beschlossen|entschieden|festgelegt|vereinbart|genehmigt|abgelehnt|ausgeschlossen|geeinigt|Beschluss|Entscheidung(?: ist|:| steht))\b|\b(?:decidimos|decidido|decidió|acordamos|acordado|aprobado|aprobó|aprobaron|confirmad[oa]|descartad[oa]|rechazamos|queda decidido|la respuesta es)\b",
    "architecture": r"\b(?:Wahrheit liegt|maßgeblich ist|zustandslos|abgeleitet|nie direkt|ausschließlich über|ein \w+ pro (?:Kunde|Mandant|Nutzer)|(?:Architektur|Schnittstelle|Schema|Aufbau)\w*(?: von [\w ]+)?:)|\b(?:la verdad está|fuente de verdad|sin estado|nunca directamente|un \w+ por (?:cliente|inquilino)|(?:arquitectura|pila|esquema)(?: de [\w ]+)?:)",
    "financial": r"\b(?:Tagessatz|Stundensatz|Zahlungsziel|trägt sich|Gewinnschwelle|Kreditlinie)\b|\b\w*(?:miete|gehalt|preis|beitrag|gebühr)e?n? (?:steigt|sinkt|beträgt|geht|liegt|bleibt)|\b(?:tarifa por (?:día|hora)|punto de equilibrio|plazo de pago|se paga sol[oa]|línea de crédito)\b|\b(?:alquiler|sueldo|cuota|precio)(?: de [\w ]+)? (?:sube|baja|pasa|queda)",
    "legal": r"\b(?:Kündigungsfrist|Auftragsverarbeitung\w*|AVV|NDA|Lizenz (?:für|bis)|schriftlich|laut Vertrag|Urheberrecht\w*|Nutzungsrecht\w*|Haftung|haftet|Vollmacht|Wettbewerbsverbot|Patent\w*|DSGVO|(?:als )?Marke (?:eingetragen|angemeldet)|Rechte an|Gericht(?:stermin)? )\b|\b(?:preaviso|por escrito|encargo de tratamiento|según (?:el )?contrato|derechos (?:de|sobre)|licencia (?:para|hasta)|registrad[oa] como marca|marca registrada|RGPD|responsabilidad|patente|poder notarial|vista (?:del|oral)|cláusula)\b",
    "people": r"\b(?:isst|trinkt|spricht|verträgt|fliegt) (?:kein\w*|nur|nicht)|\b(?:hat|haben) einen? (?:Ersatz)?schlüssel\b|\b(?:sind|ist) (?:jetzt )?(?:Geschwister|verheiratet|verlobt|Zwillinge|ein Paar|geschieden|Vegetarier\w*|Veganer\w*|allergisch)|\b(?:Ansprechpartner\w*|Ansprechperson|zuständig)\b|\bhat (?:die Firma verlassen|gekündigt|übernommen|aufgehört)|\bübernimmt (?:die|den|das|von)\b|\b(?:ist|sind) (?:weg|ausgeschieden|gegangen|umgezogen|nach [A-Z]\w+ gezogen)|\bheißt (?:jetzt|wieder|nun)\b|\b(?:no|ni) (?:come|bebe|habla|conduce|vuela)\b|\btiene (?:una |la )?(?:copia de la )?llave\b|\bson (?:hermanos|pareja|matrimonio|primos|gemelos)\b|\bahora (?:manda|lleva|responde|trabaja|se llama|vive|es)\b|\bse (?:fue|marchó|mudó|jubila|casa|casó)\b|\b(?:nuestro contacto|persona de contacto|contacto (?:en|de))\b|\bes (?:alérgic|vegetarian|vegan|celíac)[oa]\b",
    "milestone": r"\b(?:ist|sind|geht|ging) (?:seit heute )?live\b|\berste[rnms]? (?:zahlende[rnms]? )?(?:Kunde|Kundin|Kunden|Mitarbeiter\w*|Büro|Verkauf|Auftrag)|\bzum ersten Mal\b|\b(?:Abnahme|abgenommen|ausgeliefert an|gegründet|eingetragen|Handelsregister|fertiggestellt|Prüfung bestanden|geheiratet|geboren|umgezogen)\b|\bletzte[rn]? Kund\w+ .{0,30}(?:umgezogen|weg|abgeschaltet)|\b(?:firmó la recepción|recepción de la fase|primer(?:a|os|as)? (?:cliente|venta|oficina|empleado|factura|mes)|por primera vez|está en (?:producción|marcha|línea)|se fundó|fundad[oa]|inscrit[oa]|nació|se casaron|último cliente|aprobó el examen|lanzad[oa]|lanzamos)\b",
    "strategy": r"\bwächst (?:aus|mit|nur)|\bkeine (?:Investoren|Werbung|Fremdmittel)\b|\bohne (?:Investoren|Fremdkapital)\b|\berst .{2,40}, dann\b|\bHälfte (?:der|des|von)\b|\blangfristig\b|\bbleibt (?:kostenlos|klein|unabhängig|frei)|\bcrece (?:con|de|sin)\b|\bsin inversores\b|\bprimero .{2,40}(?:luego|después|hasta)\b|\bla mitad de (?:los|las|lo)\b|\ba largo plazo\b|\bsigue siendo (?:gratis|pequeñ|independiente|libre)|\b(?:Strategie|Fahrplan|Vision|Estrategia|Hoja de ruta|estrategia|hoja de ruta)\b",
}
HINTS: Mapping[Category, str] = {
    "decision": r"\b(?:abgeschafft|streichen|gestrichen|bleiben bei|umgestellt|wechseln|wechsel|steigen|nehmen|verzichten|gibt|unterschreibt|freigabe|frei|regel|entscheidet|statt|kein|keine|einstellen|dejamos|cambiamos|pasamos|firma|elegimos|rechazad[oa]|sin|regla|norma|en lugar de|en vez de|por)\b",
    "architecture": r"\b(?:\w*(?:Datenbank|Suchindex|Index|Warteschlange|Dienste?|Schnittstellen?|Kopien|Sicherung(?:en)?|Zugriff|Zugangsdaten|Schlüssel|Ereignisse?|Prozess|Mandant(?:en)?|Kennung(?:en)?|Speicher|Postgres\w*|SQLite|MariaDB|ClickHouse|DuckDB|Server)|\w*(?:base de datos|índice|cola|servicios?|copias?|eventos?|procesos?|credenciales|claves?|escrituras?|accesos?|identificador(?:es)?))\b",
    "financial": r"\b(?:\w*(?:miete|budget|gehalt|honorar|gebühr|rechnung|kredit|steuer|versicherung|rabatt|konto|bank)|zahlt|netto|brutto|kostet|Preis|paga|neto|alquiler|presupuesto|sueldo|cuota|factura|impuestos?|seguro|descuento|cuenta|banco|crédito|cuesta|precio|tarifa|ingresos|margen|Marge|Umsatz)\b",
    "legal": r"\b(?:\w*vertrag\w*|vertraglich|Lizenz|Klausel|Gericht|Frist|Einwilligung|erlaubt|verboten|dürfen|darf|Logo|Marke|Anwalt|Anwältin|Notar\w*|contratos?|licencia|cláusula|juzgado|tribunal|plazo|consentimiento|permitid[oa]|prohibid[oa]|marca|abogad[oa]|notar\w+|puede[n]? salir)\b",
    "people": r"\b(?:Geburtstag|Kontakt|Kollegin|Kollege|Bruder|Schwester|Nachbar\w*|Einladungen|cumpleaños|contacto|compañer[oa]|herman[oa]|vecin[oa]|invitaciones|carne|alcohol|Fleisch)\b",
    "milestone": r"\b(?:Abnahme|Start|veröffentlicht|eröffnet|gewonnen|Kunde|seit heute|firmó|fase|Phase|cliente|lanzamiento|abrimos|ganamos|desde hoy|seit 20\d\d)\b",
    "strategy": r"\b(?:Markt|Ziel|Einnahmen|Wachstum|Investoren|mercado|objetivo|ingresos|crecimiento|inversores|20(?:2[6-9]|3\d))\b",
}
LASTING: tuple[tuple[str, str], ...] = (
    (
        "from now on",
        r"\b(?:künftig|in Zukunft|von nun an|ab (?:jetzt|sofort|heute)|nicht mehr|nie(?:mals)? (?:mehr|wieder)|für immer|dauerhaft|endgültig|bis auf Weiteres|unbefristet|jederzeit|grundsätzlich|bleibt dabei|desde ahora|de ahora en adelante|en adelante|a partir de|en el futuro|para siempre|definitivamente|ya no|no hay vuelta atrás|nunca más|permanente)\b",
    ),
    (
        "a rule",
        r"\b(?:nur(?: noch)?|nie|niemals|immer|niemand|sonst|kein\w*|ausschließlich|jede[rnms]?|alle[rnms]?|muss|müssen|darf|dürfen|nirgends|umgekehrt|solo|sólo|únicamente|nunca|jamás|siempre|nadie|tod[oa]s?|ningún|ninguna|debe[n]?|no puede[n]?|prohibido)\b",
    ),
    (
        "has a term",
        rf"\b(?:ab|bis|zum|seit|vom|vor|im|desde|hasta|antes de|en|para) {_DATE}\b|\b(?:im Monat|pro (?:Monat|Jahr|Tag|Platz|Stunde)|monatlich|jährlich|al mes|al año|por (?:mes|día|año|hora|puesto)|mensual(?:es)?|anual(?:es)?)\b",
    ),
    (
        "done with",
        r"\b(?:unterschrieben|unterzeichnet|eingetragen|verlängert|firmad[oa]|firmó|registrad[oa]|renovad[oa]|beachten|extra|aparte|fest|fij[oa])\b",
    ),
)
DAY: tuple[tuple[str, str], ...] = (
    (
        "a thing of the day",
        r"\b(?:Mittag\w*|Frühstück|Abendessen|Kaffee|Kuchen|gegessen|Zahnarzt|Friseur|Paket|Wetter|Regenschirm|Milch|einkaufen|Werbung|Flohmarkt|Podcast|Film|Folge|Newsletter|Stau|Bahn|Geburtstagskarte|Einladung der|der Einladung|Spaziergang|Altstadt|Museum|Schaufenster|weggeklickt|almuerzo|comer|cenar?|desayuno|café|dentista|peluquer\w+|paquete|paraguas|leche|la compra|publicidad|mercadillo|podcast|película|capítulo|boletín|atasco|tren|tarjeta de cumpleaños|paseo|casco antiguo|museo|escaparate|aviso de cookies|cookies)\b",
    ),
    (
        "of this day",
        r"(?<!\d)\b\d{1,2}:\d\d\b(?!:)|(?<!^)\bmorgen\b|\b(?:heute früh|heute Abend|gestern|übermorgen|Plan für heute|am (?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag) (?:zurück|wieder|da)|kommt \w+tag|krank|mañana|ayer|esta (?:tarde|mañana|noche)|Plan de hoy|\d+ Min(?:uten|utos)|de baja|enferm[oa])\b",
    ),
    (
        "a piece of work",
        r"(?<![\w.])#\d{2,}\b|(?-i:\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,10}\b)|\b(?:Tippfehler|Aufruf-Stapel|gelöscht|verschoben|fast fertig|Entwurf|errata|traza|borrad[oa]|cerré|casi lista?|borrador)\b",
    ),
    (
        "comes to nothing",
        r"\b(?:vielleicht|eventuell|überlegt|überlegen|fragt sich|fragt(?:e)?|ob|unklar|noch offen|ohne Ergebnis|Witz|scherzte|zum Spaß|nichts Neues|zu groß|quizás?|tal vez|se pregunta|pregunta|preguntó|sin resultado|por ver|broma|no lo compré|nicht gekauft|sin decidir|a lo mejor)\b",
    ),
    ("said of others", r"^(?:gelesen|gehört|jemand|leí|oí|alguien|vi)\b"),
    (
        "a day's work",
        r"^(?:nicht vergessen: auf|acordarse de|arreglé|contesté|reinicié|llamada|miré|revisé|probé|ordené|hablé|\d+ mails|mit \w+ (?:telefoniert|gesprochen|gegessen)|den |das \w+banner|telefonat)\b",
    ),
)
