"""Words that a pattern is meant for, and words near to them that it is not meant for; of packs by its number."""
# ruff: noqa: RUF001 - in their own scripts

ENGLISH = (
    ("Please remember that Ana is vegetarian", "I can't remember the name of that bar"),
    ("Don't forget the dentist on Friday", "I never forget a face"),
    ("IMPORTANT: the key is under the mat", "This is an important meeting"),
    ("Decision: we ship on Tuesday", "A hard decision, I know"),
    ("We agreed on weekly reports", "They agreed to disagree"),
    ("The plan is to move in May", "What a plan!"),
    ("Note to self: buy stamps", "I left a note for Ana"),
    ("I already told you my address", "They already told me"),
    ("We talked about the budget", "They talked all night"),
    ("You forgot my birthday", "I forgot my keys"),
    ("Remember when I said no nuts?", "Remember when we met?"),
    ("I mentioned it before, twice", "She mentioned it in passing"),
    ("No, I said Wednesday", "There is no milk, my friend"),
    ("How many times must I say it?", "How much time is left?"),
    ("Don't you remember the rule?", "Do you remember the rule?"),
    ("Actually, it's on Thursday", "What actually happened?"),
    ("No, that's the other one", "Nothing that's worth it"),
    ("I switched to Firefox", "He switched to Firefox"),
    ("That's outdated", "That's lovely"),
    ("It's called Meridian now", "Is it time now?"),
)
CHINESE = {
    0: ("请记住我对花生过敏", "我在找记忆力训练的书"),
    7: ("我已经告诉过你了", "他已经走了"),
    12: ("不对，是周三", "今天天气对不对，是晴天吗"),
    17: ("我已经搬到杭州了", "他搬到杭州了"),
    20: ("不是周二，是周三", "这不是问题，而是机会"),
}
JAPANESE = {
    0: ("覚えておいて、締め切りは金曜です", "覚えることが多い"),
    4: ("来週からリモートにすることに決めました", "まだ決めていません"),
    13: ("何回も言わせないで", "何回行きましたか"),
    17: ("大阪に引っ越しました", "引っ越しは大変だ"),
    20: ("火曜日じゃなくて水曜日です", "大したことではなく、ただ少し疲れているだけだと思います"),
}
KOREAN = {
    0: ("기억해 줘, 난 땅콩 알레르기가 있어", "그 노래 기억나"),
    9: ("너 또 까먹었어", "열쇠를 까먹었어"),
    12: ("아니, 수요일이야", "응, 수요일이야"),
    15: ("사실은 세 시야", "그건 사실이야"),
    20: ("화요일이 아니라 수요일이야", "그게 문제가 아니라 시간이 없어서 못 갔다는 말이었어"),
}
