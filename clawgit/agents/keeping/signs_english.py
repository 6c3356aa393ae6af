"""English words that tell remarks."""

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    "you": "you, you're, you've, you'd, you'll, your, yours, yourself, youre, youve, youd, youll, u, ur",
    "toward": (
        "to me, with me, at me, tell me, telling me, told me, ask me, asking me, asked me, give me, giving me, "
        "gave me, show me, showing me, call me, calling me, answer me, write me, remind me that, explain to me, "
        "spare me, warn me, let me, talk to me, talking to me, lecture me, correct me, leave me, hand me, send me"
        " the, interrupt me, reading me, quote me, treat me, my question, my own words, my words, what i said, "
        "what i asked, what i wrote, what i meant, back to me, between us, you and me, you and i"
    ),
    "talk": (
        "small talk, wall of text, answer*, repl*, response*, message*, wording, phrase*, tone, greeting*, "
        "sign-off*, signoff, sign, off, joke*, joking, pun, puns, humour, humor, apolog*, sorry, explanation*, "
        "lecture*, guess*, opinion*, summar*, recap*, opening, opener, ending*, closing, preamble*, intro, "
        "introduction*, filler, padding, jargon, emoji*, exclamation*, bullet*, paragraph*, sentence*, verdict*, "
        "caveat*, disclaimer*, warning*, advice, suggestion*, compliment*, praise, flattery, feedback, briefing*,"
        " conversation*, chatter, pleasantries, cliche*, metaphor*, comparison*, analog*, euphemism*, hedg*, "
        "preach*, sermon*, essay*, walls of text, prose, headline*, heading*, abbreviation*, acronym*, spelling, "
        "grammar, punctuation, capital*, wordy, rambl*, waffl*, chatty, blunt, tactful, tact, nagging, nag"
    ),
    "form": (
        "line, lines, list, lists, table, tables, word, words, number, numbers, figure, figures, name, names, "
        "note, notes, report*, draft*, option*, choice*, alternative*, reason*, source*, detail*, example*, "
        "question*, step, steps, quote*, quotation*, point, points, page, pages, order, format, layout, style, "
        "version, short, shorter, long, longer, brief, plain, top, bottom, beginning, start, end, context, "
        "background, reminder*, update*, news, thing, things, nickname*, title*, unit, units, estimate*, fact, "
        "facts, range, rounding, rounded, date, dates"
    ),
    "speak": (
        "follow up, say, says, saying, said, tell, tells, telling, told, ask, asks, asking, asked, answering, "
        "answered, reply, replying, replied, write, writes, writing, wrote, written, explain, explains, "
        "explaining, explained, repeat, repeats, repeating, repeated, mention, mentions, mentioning, mentioned, "
        "suggest, suggests, suggesting, suggested, remind, reminding, reminded, apologise, apologising, "
        "apologised, apologize, apologizing, apologized, guessing, guessed, assume, assumes, assuming, assumed, "
        "call, calling, called, sound, sounds, sounded, read, reads, reading, interrupt*, summarise*, summarize*,"
        " quoting, quoted, joking, joked, argue*, disagree*, agree, agrees, agreed, agreeing, admit*, warn, "
        "warned, warning, thank, thanking, praise, praising, flag, flagged, flagging, spell, spelled, spelt, "
        "speak, speaking, spoke, talk, talking, talks, talked, put, phrase, phrased, phrasing, word, worded, "
        "wording, list, listed, listing, pick, picked, picking, choose, chose, start, starting, started, open, "
        "opened, opening, end, ending, ended, finish, finished, finishing, stopping, check, checked, checking, "
        "show, showed, showing, hint, hinting, hinted, listen*, hear, hearing, recommend*, offer, offering, "
        "offered, insist*, translate*, describe*, label*, mark, marked, marking, round, round*, cut, trim*, "
        "shorten*, pad, padded, lead, leading, led, hide, hid, hiding, bury, buried, skip, skipped, gloss*, "
        "soften*, sugarcoat*, sugar-coat*, exaggerat*, decide, decided, ping, pinging, pinged, notify*, wake, "
        "woke, nudge, nudging, nudged, chase, chased, address, addressed, greet*"
    ),
    "bid": (
        "^tell, ^say, ^ask, ^answer, ^give me, ^give it, ^give them, ^start with, ^start by, ^begin, ^open with, "
        "^lead with, ^end, ^finish, ^keep, ^leave, ^skip, ^drop, ^cut, ^spare, ^save, ^pick, ^choose, ^wait, "
        "^listen, ^hear, ^stick, ^be, ^stay, ^talk, ^speak, ^write, ^write to me, ^explain, ^use, ^call, ^name, "
        "^show me, ^quote, ^mark, ^flag, ^warn, ^admit, ^mention, ^put, ^put the, ^round, ^spell, ^count, "
        "^assume, ^treat, ^let me, ^hold, ^come, ^go easy, ^go straight, ^get to, ^make it, ^try, ^lose, ^less, "
        "^fewer, ^more, ^only, ^straight, ^plain, ^no, ^one, ^two, ^first"
    ),
    "forbid": (
        "^don't, ^dont, ^do not, ^stop, ^never, ^no more, ^no need, ^quit, ^avoid, ^enough, you don't have to, "
        "you dont have to, you don't need, you needn't, you dont need, please stop, please don't, please dont, "
        "just stop, without the, could you stop, can you stop, will you stop, would you stop, can we stop, can we"
        " drop, can we skip, i don't want, i dont want, i don't need, i dont need, do without"
    ),
    "rather": (
        "i'd rather, id rather, i would rather, i'd like you, i'd like it, i'd prefer, i prefer, i want you, i "
        "want the, i want a, i want to hear, i want to know, i want it, i need you, i need the, i only want, i "
        "only need, i just want, i just need, i like my, i like it, i like to, prefer*, rather have, better if, "
        "would be better, works better, easier if, easier for me, would help, it helps, i'd love it if, could you"
        " always, could you please, can you please, can you just, could you just, would you mind, matters to me, "
        "important to me"
    ),
    "must": (
        "should, shouldn't, should've, shoulda, could've, couldve, couldn't, you must, you mustn't, you may, you "
        "might, you can, you could, you have to, you need to, you ought, ought to, need to, needs to, supposed "
        "to, meant to, has to, allowed"
    ),
    "lasting": (
        "always, never, ever, every time, each time, everytime, from now on, from here on, from now, from today, "
        "in future, in the future, going forward, in general, by default, as a rule, any more, anymore, any "
        "longer, no longer, no more, next time, all the time, for good, every single, every morning, every "
        "evening, every day, every week, every message, every answer, each message, each answer, at all times, "
        "whenever, everywhere, without exception, in the first place, rule"
    ),
    "case": (
        "when i, when you, when it's, when its, when it is, when there's, when there is, when something, when "
        "someone, when we, when she, when he, when they, when a, if i, if you, if it's, if its, if it is, if "
        "there's, if there is, if something, unless i, unless you, unless it, unless there, until i, until you, "
        "before i, before you, after i, after you, once i, once you, once it, as soon as, as long as, at a time, "
        "per message, only when, only if, even when, even if, instead of me, with her, with him, with them, to "
        "her, to him, to them, with clients, with customers"
    ),
    "again": (
        "again, another, yet another, once more, second time, third time, fourth time, fifth time, twice, still, "
        "keep, keeps, kept, same as, same thing, same old, like last, as last, as before, as usual, already told,"
        " told you, i said, i've said, ive said, i've told, ive told, i've asked, ive asked, i asked you, we "
        "talked, we've talked, we spoke, we've been, how many times, how often, there it is, there you go, there "
        "it goes, here we go, here it is, back to, one more, and yet, third week, second week, third day, in a "
        "row, mentioned it, mentioned this, as i said, like i said, you did it, doing it, did it, at it again, "
        "not the first, these days, yesterday, last week, last time, the other day, remember"
    ),
    "former": (
        "used to, lately, of late, recently, these days, since when, you were, you've become, you've got, you've "
        "gone, youve gone, you've started, youve started, you've stopped, youve stopped, you've been, youve been,"
        " have become, have got, have grown, has become, has grown, has crept, have crept, creeping, drift*, "
        "slip*, slid, slide, go back, going back, back to how, back to the, the old way, old habit, old you, the "
        "deal, we agreed, we said, was agreed, what happened to, whatever happened, where did, where has, where "
        "have, what became, once upon, months ago, weeks ago, a month ago, few weeks, last month, no longer, not "
        "any more, not anymore, forgot*, lost the, gone back, stopped, getting more, getting longer, more and "
        "more, in the beginning, at first, in the old days, remember when, miss the, i miss, bring back, come "
        "back, return to, you'd have, youd have, you never used"
    ),
    "like": (
        "i like, i liked, i love, i loved, liked, love, loved, lovely, perfect, exactly, spot on, brilliant, "
        "great, nice, good, better, best, works, worked, just right, just what, much better, much easier, much "
        "clearer, so much, helpful, useful, well done, well put, appreciat*, grateful, thank, thanks, thankyou, "
        "cheers, enjoy*, happy, glad, pleased, impressed, clever, sensible, worth, that's it, thats it, that's "
        "how, thats how, that's the way, thats the way, that's what i, thats what i, that's an, right way, right "
        "kind, right thing, right length, right tone, the way i like, how i like, suits me, works for me, yes "
        "please, made me smile, made me laugh, made my, first time anyone, never had, nobody else, no one else, "
        "can't fault, believe you, trust you, proud"
    ),
    "helped": (
        "saved me, saves me, saved my, saved us, helped me, helps me, helped, helps, got me, gets me, stopped me,"
        " made it easy, made it easier, could follow, could see, could check, could find, could tell, i could, i "
        "can see, i can check, i can tell, i can find, i knew, i understood, i got it, so i got, at a glance, at "
        "once, straight away, in seconds, in ten, in a second, in one go, easy to, easier to, quicker, calmed me,"
        " kept me, let me, i could breathe, i slept, without having to, didn't have to, didnt have to, without "
        "scrolling, made sense, makes sense, see why, know where, knew where, knew what, know what to"
    ),
    "keep": (
        "keep that, keep it, keep this, keep doing, keep them, keep the, keep going, keep up, keep on, more of "
        "that, more of this, more like, like that every, like this every, do it like, do that, do this, do it "
        "that way, do it this way, always like, like this always, please continue, continue like, carry on, stay "
        "with, stick with, stick to, stays, don't change, dont change, don't stop, dont stop, don't lose, never "
        "change, from now, every time, every morning, for all, the same way, that way, this way, please do, same "
        "again, again please, a habit, as standard, the standard"
    ),
    "way": (
        "the way you, the way it, how you, when you, that you, like that, like this, that way, this way, the "
        "thing where, thing you do, what you did, you did, trick, habit, bit, approach, idea, the part where, "
        "kind of, sort of, the first line, that line, that first"
    ),
    "able": (
        "you can, you could, can you, you do, so you can, so you do, you know how, you understood, you "
        "understand, you read, you managed, you got, you noticed, you spotted, you caught, you found, you heard, "
        "you worked out, able to, didn't know you, didnt know you, never have, i'd never, id never, never knew, "
        "no, mistake*, not one mistake, all correct, all right, every word, word for word, to the letter, "
        "flawless*, without a mistake, even the, really can, turns out you, proved, proper, impressed, test"
    ),
    "rely": (
        "from now on, from here on, from now, in future, next time, i'll just, ill just, i'll send you, ill send "
        "you, i'll give you, i'll leave, i can leave, i can send, rely on, count on, trust you, leave it to you, "
        "leave that to you, leave those to you, your job, that's yours, you do the, you can do, you can take, you"
        " take, do those, do them, over to you, hand you, can go to you, go through you, first"
    ),
    "fault": (
        "too, plenty, enough, wrong, nobody, not what, not how, not the, not a, not an, not my, not me, not now, "
        "not again, isn't, isnt, aren't, arent, wasn't, wasnt, weren't, doesn't, doesnt, didn't, didnt, don't, "
        "won't, wont, can't, cant, couldn't, nothing, needless, unnecessary, pointless, useless, waste, wasted, "
        "misleading, unclear, confus*, vague, buried, hidden, lost in, missing, half, silly, cold, stiff, fake, "
        "robotic, like a robot, like a machine, sounds like, reads like, sounded like, feels like, felt like, as "
        "if i, as though i, made me, worse, mess, over the top, i had to, i have to, had to, have to scroll, have"
        " to read, have to dig, to find, lost me, couldn't follow, stopped reading, didn't read, gave up, "
        "scroll*, dig, hunt for, waded, wade, on my own, none of, several, four times, three times, five times, "
        "ten times, all over, everything, so many, so much, so long, so short"
    ),
    "suffices": (
        "is enough|, is plenty|, are enough|, are plenty|, will do|, would do|, is fine|, is all, are all, all i "
        "need, all i want, all i asked, is plenty, is enough, once is, one is, one of them, just one, only one, "
        "just the, only the, one at a time, at a time, one by one, and no more, nothing more, nothing else, and "
        "stop, then stop, that's all, thats all, that's it, that's that, leave it there, leave it at, leave it "
        "out, one then, at most, at least, no longer than, under, up to, half of, full stop, simply, short and"
    ),
    "annoyed": (
        "annoy*, irritat*, hate, hates, tired, sick of, fed up, drives me, driving me, drive me, gets on, grates,"
        " argh, ugh, lol, patronis*, patroniz*, condescend*, insult*, embarrass*, rude, creepy, cringe*, wince, "
        "tiring, exhaust*, had enough, enough of, please, for heaven's, for god's, bloody, honestly, seriously, "
        "hang on, hold on, excuse me, come on, mate, parrot*, robot*, machine, call centre, call center, customer"
        " service, salesman, brochure, textbook, schoolbook, teacher, school, mother, nanny, novel, essay, "
        "encyclop*, lawyer, politician, stranger, i'm not a, im not a, i am not a, i'm a, im a, ive been, i've "
        "been, i know what, i know how, i know that, i know i, no idea what"
    ),
    "asked": (
        "i asked, i only asked, i just asked, asked for, asked you, didn't ask, didnt ask, never asked, not "
        "asked, i said, i meant, i mean, i wanted, i was asking, i just wanted, i only wanted, asked which, asked"
        " whether, asked what, my question, the question, unasked, without being asked, unless asked, i'll ask, "
        "ill ask, i will ask, ask for it, ask if, i'll tell you, ill tell you, if i want, when i want, i'd ask, "
        "do i need, need to know, don't tell me"
    ),
    "contrast": (
        "instead, instead of, rather than, not the, not a, not an, not just, not only, but not, and not, not "
        "when, not after, not before, before you, first, then, beforehand, afterwards, after that, other way, the"
        " other way, wrong way, way round, upside down, backwards, first the, then the, than that, than a, than "
        "the, than to, more than, less than, as it is, as they are, as is, the actual, the real, really, "
        "actually, just what, only what, what they said, whole, all of, both, by name, out loud, in front, up "
        "front, upfront, one thing"
    ),
    "third": (
        "he, he's, hes, she, she's, shes, they, they're, him, his, her, hers, their, them, my boss, my mother, my"
        " mum, my dad, my father, my sister, my brother, my son, my daughter, my wife, my husband, my nephew, my "
        "niece, my neighbour, my gran, my kid, my kids, the kids, the boss, the neighbour*, the bank, the "
        "council, the courier, the driver, people, everyone, somebody, someone, anybody, customers, guests"
    ),
    "begins other": (
        "^he, ^she, ^they, ^it, ^it's, ^its, ^the, ^we, ^we're, ^my, ^our, ^his, ^her, ^their, ^there's, ^there, "
        "^this, ^these, ^those, ^that, ^a, ^an, ^some"
    ),
    "begins you": (
        "^you, ^your, ^you're, ^youre, ^you've, ^youve, ^you'd, ^so you, ^are you, ^do you, ^did you, ^can you, "
        "^could you"
    ),
    "begins I": "^i, ^i'm, ^im, ^i've, ^ive, ^i'd, ^i'll",
    "task": (
        "^add, ^book, ^move, ^send, ^draft, ^remind me, ^find, ^translate, ^convert, ^order, ^call the, ^print, "
        "^set, ^put me, ^put milk, ^make this, ^check, ^look up, ^list, ^play, ^imagine, ^pretend, ^suppose, "
        "^turn, ^write me, ^write a, ^cancel, ^schedule, ^copy, ^paste, ^file, ^save, ^upload, ^pay, ^buy, ^get "
        "me, ^read me, ^read out, ^spell, ^calculate, ^sort, ^fix, ^do the, ^prepare, ^pack, ^text, ^email, "
        "^mail, ^ring, ^change, ^update, ^tell him, ^tell her, ^tell them, ^note that, ^note:, ^how, ^what, "
        "^when, ^where, ^who, ^which, ^why, ^is, ^are, ^does, ^do, ^did, ^can, ^could, ^will, ^have, ^has, ^was, "
        "^were"
    ),
    "once": (
        "today, tonight, tomorrow, this one, this time, that one, for now, for once, just once, this once, this "
        "morning, this afternoon, this evening, this week, this weekend, tonight's, today's, for today, right "
        "now, at the moment, on monday, on tuesday, on wednesday, on thursday, on friday, on saturday, on sunday,"
        " till monday, minutes, o'clock in the reminder, in the letter, on the sign, on the label, for the label,"
        " for the poster, this letter, this mail, this message to, the reminder letter, the draft for, next week,"
        " monday's"
    ),
    "fiction": (
        "pretend, imagine, suppose, hypothetical*, in theory, role play, role-play, roleplay, game, film, movie, "
        "song, book, author, novel, character, lyrics, poem, story, stories, quiz, series, band, radio, tv, "
        "actor, recipe, slogan, proverb, haha, jk, kidding, if you were, if i were, would you, were a person, "
        "maybe, perhaps, might"
    ),
    "chat": (
        "can't wait, wow, awesome, amazing, congrats, congratulations, hey, hi, hello, bye, goodbye, luck, hugs, "
        "sweet, cute, beautiful, gorgeous, fantastic, incredible, inspiring, inspire*, proud, excited, exciting, "
        "sounds great, sounds fun, sounds like a, take care, talk soon, talk to you, see you, have fun, good for "
        "you, love to hear, how are, how was, how's, how did, what about you, what's up, tell me more, tell me "
        "about, let me know, glad to hear, happy for you, sorry to hear, thanks for sharing, keep it up, keep me "
        "posted, keep up the, hope, yeah, totally, absolutely, family, friends, dream*, passion, journey, "
        "memories, vibe, fun, kids, support*, heart"
    ),
    "world": (
        "weather, rain, shop, train, bus, courier, bank, council, kettle, printer, car, van, dog, cat, soup, "
        "cake, film, match, goal, movie, restaurant, pub, food, dinner, lunch, breakfast, coffee, tea, bread, "
        "kitchen, garden, tree, trees, flower*, holiday, trip, beach, hike, photo, photos, picture, pic, pics, "
        "painting, art, music, dance, yoga, gym, run, book, books, neighbour, builder, plasterer, website, app, "
        "phone, screen, password"
    ),
    "idle": (
        "no problem, no worries, you're welcome, youre welcome, let me know, mean a lot, means a lot, mean so "
        "much, means so much, your words, your support, your encouragement, your friendship, your kind, don't "
        "worry, dont worry, don't give up, let me down, get me down, let them down, let it get, discouraged, quit"
        " on, give up on, check in, any questions, any help, need any, need help, need a hand, feel free, glad "
        "you liked, glad you like, glad you enjoyed, good luck, take care, never mind, keep going, keep pushing, "
        "keep it up, keep believing, keep up the, i'm here for you, here for you, believe in, catch up, chatting "
        "with you, how about you, what about you, you too, same here, count me in, sounds good, of course, "
        "anytime, my pleasure, no rush, me neither, i hear you, i bet"
    ),
    "hearsay": (
        "says, said that, he said, she said, they said, said he, said she, people say, i said i'd, told me to, "
        "told him, told her, told them, told the, always said, used to say, according to, apparently, the sign, "
        "reads, wrote back, writes, quoting, it says"
    ),
    "fact": (
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday, mon, tue, wed, thu, fri, january, "
        "february, march, april, june, july, august, september, october, november, december, euros, euro, "
        "dollars, pounds, quid, percent, am, pm, o'clock, noon, birthday, flight, street, floor, version, "
        "password, phone number, address, moved, married, born"
    ),
    "denies": (
        "^no it, ^no i, ^no that's, ^no its, ^no it's, ^nope, ^wrong, ^actually, ^correction, ^not, ^it's not, "
        "^its not, ^sorry, ^wait, ^i meant, ^i mean"
    ),
}
