"""Spanish and French words that tell remarks."""

from collections.abc import Mapping

SPANISH: Mapping[str, str] = {
    "you": (
        "tú, tu, tus, te, ti, contigo, has, eres, estás, sabes, puedes, debes, sueltas, dices, haces, pones, "
        "hablas, escribes, me das, me dices, me haces, me pones, me sueltas, vuelves, sigues, decías, hacías"
    ),
    "toward": (
        "me, conmigo, a mí, dime, dame, pregúntame, háblame, respóndeme, mi pregunta, mis palabras, lo que digo, "
        "lo que dije, lo que pregunté"
    ),
    "talk": (
        "respuesta*, mensaje*, tono, saludo*, despedida*, broma*, chiste*, disculpa*, perdón, explicación, "
        "explicaciones, sermón*, sermones, suposicion*, opinión, resumen, resúmenes, introducción, preámbulo*, "
        "relleno, jerga, tecnicismo*, emoji*, emoticono*, exclamacion*, viñeta*, párrafo*, frase*, consejo*, "
        "cumplido*, halago*, elogio*, rollo, parrafada*, coletilla*, muletilla*, advertencia*, rodeos, usted, "
        "tutear, tutees, lección, redacción"
    ),
    "form": (
        "línea*, lista*, tabla*, palabra*, número*, cifra*, nombre*, nota*, informe*, borrador*, opción, "
        "opciones, alternativa*, razón, razones, motivo*, fuente*, detalle*, ejemplo*, pregunta*, paso*, punto*, "
        "página*, orden, corto, corta, largo, larga, breve, arriba, abajo, principio, final, aviso*, noticia*, "
        "unidad*, importe*, cosa*, dato*, problema*"
    ),
    "speak": (
        "di, dime, dilo, dice*, decir*, digo, digas, dijiste, habl*, pregunt*, respond*, contest*, escrib*, "
        "explic*, repit*, repet*, mencion*, suger*, recuerd*, avis*, adivin*, suena, sonar, lee*, leo, leído, "
        "interrump*, resum*, cit*, bromear, discut*, acept*, agradec*, empie*, empez*, acab*, termin*, escuch*, "
        "ofrec*, marc*, redonde*, recort*, escond*, cuent*, cont*, trat*, tute*, llam*, llám*, suelt*, pon*, "
        "inventa*"
    ),
    "bid": (
        "^di, ^dime, ^dame, ^pon, ^usa, ^habla, ^háblame, ^háblale, ^pregunta, ^pregúntame, ^responde, ^escribe, "
        "^explica, ^empieza, ^deja, ^quita, ^evita, ^elige, ^cuenta, ^cuéntame, ^avisa, ^avísame, ^trata, "
        "^termina, ^espera, ^cita, ^marca, ^sé, ^haz, ^ve al, ^solo, ^sólo, ^primero, ^menos, ^más, ^vuelve, "
        "vuelve a, dime primero, háblale siempre, basta con, con eso basta, sobra"
    ),
    "forbid": (
        "^no, ^nunca, ^nada de, ^sin, no hace falta, no me digas, no me hables, no me des, no me expliques, no "
        "me, deja de, para de, ahórrate, ahórrame, evita, no quiero, no necesito, sobra, sin rodeos, ya no"
    ),
    "rather": (
        "prefiero, quiero que, quiero, me gustaría, necesito, mejor si, sería mejor, me importa, importante, me "
        "ayuda, me sirve, me gusta que, me gusta q, ojalá"
    ),
    "must": "debes, deberías, tienes que, puedes, podrías, hay que, hace falta",
    "lasting": (
        "siempre, nunca, jamás, cada vez, a partir de ahora, de ahora en adelante, en adelante, desde hoy, en el "
        "futuro, la próxima vez, ya no, nunca más, todo el tiempo, cada día, cada mañana, por norma, en general"
    ),
    "case": (
        "cuando, si no, si hay, si te, si me, si yo, si tú, siempre que, en cuanto, antes de que, antes de, a "
        "menos que, con ella, con él, con ellos, a ella, a la gente, a los, con los clientes"
    ),
    "again": (
        "otra vez, de nuevo, segunda vez, tercera vez, ya te, ya lo, te lo dije, te dije, igual que, como la "
        "última, sigues, y dale, lo mismo, todavía, aún, vuelves a, otra, van"
    ),
    "former": (
        "antes, últimamente, desde cuándo, quedamos, habíamos, eras, solías, qué pasó, qué fue de, te has vuelto,"
        " hacías, decías, ponías, ya no, vuelve a, como antes, al principio, se te ha olvidado, dejaste de"
    ),
    "like": (
        "me gusta, me encanta, gusta, perfecto, genial, así sí, bien, mejor, gracias, agradezco, exacto, justo, "
        "eso es, útil, clar*, bueno, buena, vale, qué bien, estupendo"
    ),
    "helped": (
        "me ayuda, me ayudó, me sirve, me salvó, pude, de un vistazo, enseguida, fácil, más fácil, entiendo, "
        "entendí, me ahorra, tranquil*, lo pillé, sin tener que"
    ),
    "keep": (
        "sigue así, así siempre, siempre así, sigue haciendo, hazlo así, mantén*, no lo cambies, que siga, igual,"
        " otra vez así, justo así, más de eso"
    ),
    "way": "así, como lo, la manera, la forma, que me, que no me, que pongas, que digas, lo de, eso de, cuando me",
    "able": (
        "puedes, sabes, no sabía que, todo correcto, todo bien, ni un error, ni un fallo, hasta, incluso, "
        "entiendes, lo has, entendiste, perfectamente"
    ),
    "rely": (
        "a partir de ahora, desde ahora, en adelante, cuento contigo, te lo dejo, te dejo, te mando, encárgate, "
        "ocúpate, hazlo tú, te encargas"
    ),
    "fault": (
        "demasiad*, mal, tampoco, nadie, no, ni, nada, suena a, parece, tuve que, tengo que, buscar, perdido, "
        "confus*, medio, frío, sobra, tanto, tanta, tantos, tantas, cuatro, cinco, ocho, aun así, me llegaron"
    ),
    "suffices": (
        "basta, solo, sólo, con eso, una a una, de una en una, una sola, y ya, y ya está, y punto, nada más, como"
        " mucho, máximo, sobra, es suficiente, vale con"
    ),
    "annoyed": (
        "harto, harta, cansa*, molest*, por favor, porfa, de verdad, en serio, uf, odio, loro, robot, máquina, "
        "teleoperador*, no soy, soy, ya sé, ya lo sé, sé lo que, llevo, manos en la masa, me pone, paciencia, "
        "venga"
    ),
    "asked": (
        "pregunté, te pregunté, pedí, te pedí, no pedí, no te pedí, quería, yo quería, quise decir, mi pregunta, "
        "sin que te, si quiero, cuando quiera"
    ),
    "contrast": (
        "en vez de, en lugar de, sino, no solo, primero, luego, después, antes, al revés, que no, más bien, en "
        "realidad, pero con, y no"
    ),
    "third": (
        "él, ella, ellos, ellas, le, les, mi jefe, mi jefa, mi madre, mi padre, mi hermano, mi hermana, mi mujer,"
        " mi marido, mi tía, el vecino, la gente, alguien"
    ),
    "begins other": "^el, ^la, ^los, ^las, ^mi, ^un, ^una, ^ella, ^ellos, ^este, ^esta, ^ese, ^esa",
    "begins you": "^tú, ^tu, ^tus, ^te, ^puedes, ^sabes",
    "begins I": "^yo, ^soy, ^estoy, ^tengo, ^he, ^voy, ^ya estoy",
    "task": (
        "^qué, ^cuándo, ^dónde, ^quién, ^cómo, ^cuánto, ^cuál, ^por qué, ^hay, ^es, ^está, ^busca, ^compra, "
        "^manda, ^envía, ^reserva, ^pide, ^apunta, ^recuérdame, ^traduce, ^imprime, ^llama, ^imagina"
    ),
    "once": (
        "hoy, mañana, ayer, esta vez, este, esta, esta tarde, esta noche, por hoy, anoche, el lunes, el viernes, "
        "cartel, pizarra"
    ),
    "fiction": (
        "quizás, tal vez, imagina, imagínate, finge, juego, película, canción, poema, cuento, libro, chiste, "
        "jaja, jajaja, verso"
    ),
    "chat": "hola, buenas, buenos días, adiós, felicidades, qué tal, abrazo*, hasta luego, familia, ya estoy en casa",
    "world": (
        "tiempo, lluvia, tren, tienda, comida, perro, gato, coche, grifo, taladro, gol, partido, café, pan, casa"
    ),
    "idle": (
        "de nada, no hay problema, no te preocupes, avísame si, cuídate, suerte, gracias por, igualmente, ánimo, "
        "no pasa nada, cuenta conmigo"
    ),
    "hearsay": "dice, dice que, dijo, dijo que, según, dicen, escribió, decía que",
    "fact": (
        "lunes, martes, miércoles, jueves, viernes, sábado, domingo, enero, febrero, marzo, abril, mayo, junio, "
        "julio, agosto, septiembre, octubre, noviembre, diciembre, euros, por ciento, cumpleaños, vuelo, calle, "
        "piso, mudé, dirección, trimestre"
    ),
    "denies": "^no es, ^no era, ^no son, ^mal, ^en realidad, ^perdón, ^espera",
}

FRENCH: Mapping[str, str] = {
    "you": "tu, te, toi, tes, ton, ta, t'as, t'es, as, es, peux, dois, sais, vas, dis, fais, vous, vos, votre",
    "toward": (
        "me, moi, m', avec moi, à moi, dis-moi, donne-moi, épargne-moi, ma question, mes mots, ce que je dis, ce "
        "que j'ai dit"
    ),
    "talk": (
        "réponse*, message*, ton, salutation*, formule*, blague*, excuse*, explication*, leçon*, sermon*, "
        "supposition*, avis, résumé*, introduction*, préambule*, remplissage, jargon, emoji*, exclamation*, "
        "puce*, paragraphe*, phrase*, conseil*, compliment*, flatterie*, bavardage*, pavé*, avertissement*, "
        "tournure*, politesse, vouvoi*, tutoi*, langue"
    ),
    "form": (
        "ligne*, liste*, tableau*, mot, mots, chiffre*, nombre*, nom, noms, note*, rapport*, brouillon*, option*,"
        " choix, raison*, source*, détail*, exemple*, question*, étape*, point*, page*, ordre, court*, long*, "
        "bref, haut, bas, début, fin, rappel*, nouvelle*, unité*, truc*, chose*"
    ),
    "speak": (
        "dis, dire, dit, dites, demand*, répond*, écri*, expliqu*, répèt*, répét*, mentionn*, propos*, rappel*, "
        "devin*, suppos*, sonne*, lis, lire, lu, interromp*, résum*, cit*, plaisant*, reconn*, préviens, "
        "prévenir, remerci*, commenc*, finis, finir, termin*, écout*, montr*, marqu*, arrondi*, coup*, cach*, "
        "raconte*, parl*, appell*, tutoie*, vouvoie*, réveill*, minimis*, inventer, inventes"
    ),
    "bid": (
        "^dis, ^dis-moi, ^donne, ^donne-moi, ^mets, ^commence, ^écris, ^réponds, ^demande, ^arrête, ^évite, "
        "^garde, ^laisse, ^parle, ^épargne-moi, ^choisis, ^termine, ^finis, ^cite, ^attends, ^explique, ^sois, "
        "^reste, ^va, ^pose, ^coupe, ^enlève, ^prends, ^juste, ^d'abord, ^moins, dis le, dis-le, suffit"
    ),
    "forbid": (
        "^pas de, ^plus de, ^pas, ^jamais, ^sans, ^arrête, pas besoin, inutile, épargne-moi, arrête de, ne me, ne"
        " m', je ne veux pas, je veux pas, sans me, évite"
    ),
    "rather": (
        "je préfère, je veux, je voudrais, j'aimerais, j'ai besoin, ce serait mieux, ça m'aide, c'est important, plutôt"
    ),
    "must": "dois, devrais, peux, pourrais, il faut, faut, t'as le droit, le droit de",
    "lasting": (
        "toujours, jamais, chaque fois, à chaque fois, désormais, dorénavant, à partir de maintenant, à l'avenir,"
        " la prochaine fois, plus jamais, tout le temps, chaque matin, chaque jour, partout, en général"
    ),
    "case": (
        "quand je, quand tu, quand c'est, quand il, quand on, si je, si tu, si t'as, si c'est, si on, dès que, "
        "tant que, avant de, avec elle, avec lui, avec eux, avec les clients"
    ),
    "again": (
        "encore, à nouveau, de nouveau, deuxième fois, troisième fois, je te l'ai, je l'ai déjà, déjà dit, comme "
        "la dernière, toujours pas, même chose, rebelote, re"
    ),
    "former": (
        "avant, depuis quand, on avait dit, convenu, ces derniers temps, ces temps-ci, étais, tu faisais, tu "
        "disais, devenu, où est passé, qu'est devenu, reviens, revenir, comme avant, au début, oublié, perdu "
        "l'habitude"
    ),
    "like": (
        "j'aime, j'adore, parfait*, bien, mieux, super, merci, exactement, voilà, génial, utile, clair*, bon, "
        "bonne, impeccable, bravo, nickel"
    ),
    "helped": (
        "m'aide, m'a aidé, m'a sauvé, j'ai pu, d'un coup d'œil, tout de suite, facile, plus facile, compris, "
        "m'évite, rassur*, sans avoir à"
    ),
    "keep": (
        "continue, continue comme ça, toujours comme ça, garde, ne change rien, refais, fais toujours, comme ça, pareil"
    ),
    "way": "comme ça, la façon, ta façon, la manière, quand tu, que tu, le coup de",
    "able": (
        "tu sais, tu peux, tu comprends, je ne savais pas, tout juste, tout correct, sans faute, même, vraiment, "
        "tu arrives"
    ),
    "rely": (
        "désormais, à partir de maintenant, je compte sur toi, je te laisse, je te confie, tu t'en charges, tu "
        "peux faire"
    ),
    "fault": (
        "trop, pas, rien, personne, aucun, n'importe quoi, à côté, on dirait, j'ai dû, je dois, chercher, perdu, "
        "flou, confus*, moitié, froid, faux, n'en sais rien, tant de, plus qu'*, tant, inutile*"
    ),
    "suffices": (
        "suffit, juste, seulement, une seule, une à la fois, un seul, c'est tout, rien de plus, et c'est tout, au"
        " maximum, point"
    ),
    "annoyed": (
        "agac*, énerv*, marre, fatigu*, s'il te plaît, stp, franchement, sérieusement, perroquet, robot, machine,"
        " je suis, je ne suis pas, je sais, je sais déjà, service client, non, pfff, zut"
    ),
    "asked": (
        "j'ai demandé, je demandais, je t'ai demandé, je voulais, j'ai dit, je parle de, pas demandé, ma "
        "question, je t'ai dit, si je veux"
    ),
    "contrast": (
        "au lieu de, plutôt que, mais pas, pas seulement, d'abord, ensuite, avant, après, à l'envers, que des, en"
        " fait, vraiment, ces phrases-là, ces mots-là"
    ),
    "third": (
        "il, elle, ils, elles, lui, leur, mon chef, ma mère, mon père, ma femme, mon mari, mon frère, ma sœur, "
        "les gens, quelqu'un, le vent, la boulangerie"
    ),
    "begins other": "^il, ^elle, ^le, ^la, ^les, ^mon, ^ma, ^un, ^une, ^on, ^ce, ^cette, ^l'",
    "begins you": "^tu, ^ton, ^ta, ^tes, ^t'as, ^peux-tu",
    "begins I": "^je, ^j'ai, ^j'en, ^suis",
    "task": (
        "^quand, ^où, ^qui, ^quel, ^quelle, ^comment, ^combien, ^pourquoi, ^il reste, ^est-ce, ^y a, ^achète, "
        "^envoie, ^réserve, ^note, ^rappelle-moi, ^traduis, ^imprime, ^cherche, ^ajoute, ^pour l'affiche"
    ),
    "once": (
        "aujourd'hui, demain, hier, cette fois, ce soir, ce matin, celui-là, celle-là, lundi, vendredi, l'affiche"
    ),
    "fiction": "peut-être, imagine, fais semblant, jeu, film, chanson, poème, histoire, livre, mdr, haha",
    "chat": "salut, bonjour, bonsoir, au revoir, félicitations, à demain, bises, famille",
    "world": "météo, pluie, train, grève, pain, café, chien, chat, voiture, vélo, maison, vent, boulangerie, balance",
    "idle": (
        "de rien, pas de problème, pas de souci, t'inquiète, bonne chance, prends soin, merci pour, à bientôt, "
        "toi aussi, courage, ça marche"
    ),
    "hearsay": "dit que, a dit, disait, selon, paraît-il, on dit, raconte que, écrit que",
    "fact": (
        "lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, janvier, février, mars, avril, mai, juin, "
        "juillet, août, septembre, octobre, novembre, décembre, euros, anniversaire, vol, rue, étage, déménagé, "
        "adresse"
    ),
    "denies": "^non, ^faux, ^en fait, ^c'est pas, ^ce n'est pas, ^pardon, ^attends",
}
