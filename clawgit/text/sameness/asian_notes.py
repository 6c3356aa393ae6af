"""Reads notes in Chinese and Japanese, and splits Korean ones."""

import re
from functools import cache

from clawgit.language import numbers
from clawgit.language.detect import eastern, eastern_language
from clawgit.text.sameness import korean_notes, note_values
from clawgit.text.sameness.note import Reading, temporal
from clawgit.text.sameness.note_values import ATTACHED, is_unit, measured, table
from clawgit.text.sameness.rephrasing import SAME

_TRADITIONAL = (
    "毎愛礙奧罷擺敗辦幫寶報備貝筆幣畢邊變標別賓補財參殘燦倉測層產長嘗償場廠車徹塵陳稱誠遲衝蟲籌處觸傳創純詞辭從"
    "叢錯達帶貸單擔膽彈當擋黨檔島導燈鄧敵遞點電調訂釘頂東凍動棟鬥獨讀斷鍛隊對頓奪額惡兒爾發罰閥煩範飯訪紡飛費"
    "廢紛奮豐風瘋縫膚負婦復該蓋幹趕剛綱鋼崗個給貢夠構購顧關觀館慣廣歸規軌貴國過漢號紅後護戶華畫話懷壞歡環還換"
    "黃揮輝會匯繪獲貨機積雞極級際繼績紀計記濟價駕堅間監檢減簡見鍵艦劍漸將獎講膠驕腳較階節潔結緊僅進盡勁經驚競"
    "靜鏡糾舊舉劇據決絕覺軍開凱課顆庫褲塊寬況礦虧擴闊來賴藍覽懶爛勞樂類淚離禮裡歷厲麗勵連聯練煉糧兩輛諒療鄰臨"
    "靈齡嶺領劉龍樓錄陸慮濾綠亂輪論羅絡媽馬碼買賣麥滿貓貿麼沒門們夢彌覓麵滅廟畝納難腦鬧內擬鳥寧農濃諾歐盤賠噴"
    "騙頻貧評憑蘋撲齊騎啟氣棄遷簽鉛錢淺強牆搶橋親輕傾請慶窮區趨權勸確讓擾熱認榮軟銳潤賽傘掃殺曬閃傷賞燒紹設審"
    "嬸腎聲繩聖勝師詩濕時識實駛勢視試適釋壽書術輸屬樹數雙誰稅順說碩絲飼鬆蘇訴肅雖隨歲孫損縮鎖態臺颱談嘆湯燙討"
    "題體條鐵廳聽頭圖團統託脫灣萬網為維偉偽衛緯溫聞穩問務誤無霧習戲係繫細蝦嚇鮮閒顯險現縣線憲獻鄉詳響項銷曉協"
    "脅寫謝興選許續緒學訓尋訊壓亞嚴鹽顏驗陽養樣藥爺業頁葉醫遺憶義藝議異譯陰銀飲隱應營贏擁憂優郵猶遊語預魚與譽"
    "員園圓緣遠約躍雲運雜載暫讚髒則責擇澤賊贈戰張漲賬帳趙這針偵診鎮陣爭證鄭執職紙質製鐘種眾終腫週晝諸燭囑註駐"
    "專轉賺莊裝壯狀準資綜總縱組鑽嗎妝啓綫羣裏峯爲牀臥饋篩驟穌嘔啞喚糰捲餅餓餡饅鴨鵝鴿鷹魯鯊鱷豬獅驢駱鴉穀籠籃"
    "蒼薦蕩蓮蘿蔥蔣薔螞蟻蠻蠅襲襪賢貫貼賦賭贖蹺蹤轎輔輩輯轄遼邁違醞醬鈣鑰欽鉤鈴銅鋁銘鋪鏈鍋鋒錫錦鋸閉闖悶閘閣"
    "閱闡陝隕隸韋韓頑頒頗頸穎顛飄飢飾飽驅駁駒罵騷鮑鳴鴻齒龜喪烏喬億侖儀夥倫俠侶側債儲蘭獸岡馮淨涼湊鳳擊劃劊刪"
    "劑勳盧厭廁廂廈廚噸吳吶詠嘩嘍噓嚕圍壩墳墜壘墾墊墮夾娛嬌嬰寵宮寢堯屜嶼豈峽帥廬彎彥徵懺憐戀懇惱悅懸懼慘懲願"
    "懾揚撫拋摳攔撥掛擠撈撿擲攬擱攜攝攤撐齋曠曇晉曖楊槍櫃欄樁橢檳橫櫻櫥慾毆斃氈洶溝滬濘瀉潑灑漿澆濁瀏渾塗濤渦"
    "滌淵漁滾滯濱潛瀾瀕災爐燉爍煙燼煥牽犧狽狹瑪璽瓏瑣瑤瘡癢癱盜盞矯磚礎禱禍祿禪禿穢竅窯豎筍籤箏籬糞綁絨繞絹繡"
    "綿繃纜緩編纏繳聳聾腸脹朧脈臉臘膩輿艙艱蘆葦莖熒薊虜蝕蟄蠟釁襯褳譏諱訣詐誕詢誘謀諜謊諧謂謎謠謙謹譜譴販貪貯"
    "賀賃贓踴軀軋轟軸輻轍遜邏鬱鍍鎬鎊閩閻霽韌韻頃須頌頰顫颶饒馳駿魷鯉鯨鷗鶴麩黌黽捨疊籲禦隻釦迴佈佔採脣癡颳鬍"
    "鬚髮屍傑盃墻曆鍾穫澱濛衊跡蹟巖誌鹹沖兇鍊菸皁卹燻訢簾於餘摺醜齣噹薑誇纍黴闢麴閤桿祕釐甕湧蔘纖縴燬壇罈瀰傢"
    "囌輓癥硃築緻蔭傭癒複僕朮獵艷"
)
_SIMPLIFIED = (
    "每爱碍奥罢摆败办帮宝报备贝笔币毕边变标别宾补财参残灿仓测层产长尝偿场厂车彻尘陈称诚迟冲虫筹处触传创纯词辞从"
    "丛错达带贷单担胆弹当挡党档岛导灯邓敌递点电调订钉顶东冻动栋斗独读断锻队对顿夺额恶儿尔发罚阀烦范饭访纺飞费"
    "废纷奋丰风疯缝肤负妇复该盖干赶刚纲钢岗个给贡够构购顾关观馆惯广归规轨贵国过汉号红后护户华画话怀坏欢环还换"
    "黄挥辉会汇绘获货机积鸡极级际继绩纪计记济价驾坚间监检减简见键舰剑渐将奖讲胶骄脚较阶节洁结紧仅进尽劲经惊竞"
    "静镜纠旧举剧据决绝觉军开凯课颗库裤块宽况矿亏扩阔来赖蓝览懒烂劳乐类泪离礼里历厉丽励连联练炼粮两辆谅疗邻临"
    "灵龄岭领刘龙楼录陆虑滤绿乱轮论罗络妈马码买卖麦满猫贸么没门们梦弥觅面灭庙亩纳难脑闹内拟鸟宁农浓诺欧盘赔喷"
    "骗频贫评凭苹扑齐骑启气弃迁签铅钱浅强墙抢桥亲轻倾请庆穷区趋权劝确让扰热认荣软锐润赛伞扫杀晒闪伤赏烧绍设审"
    "婶肾声绳圣胜师诗湿时识实驶势视试适释寿书术输属树数双谁税顺说硕丝饲松苏诉肃虽随岁孙损缩锁态台台谈叹汤烫讨"
    "题体条铁厅听头图团统托脱湾万网为维伟伪卫纬温闻稳问务误无雾习戏系系细虾吓鲜闲显险现县线宪献乡详响项销晓协"
    "胁写谢兴选许续绪学训寻讯压亚严盐颜验阳养样药爷业页叶医遗忆义艺议异译阴银饮隐应营赢拥忧优邮犹游语预鱼与誉"
    "员园圆缘远约跃云运杂载暂赞脏则责择泽贼赠战张涨账帐赵这针侦诊镇阵争证郑执职纸质制钟种众终肿周昼诸烛嘱注驻"
    "专转赚庄装壮状准资综总纵组钻吗妆启线群里峰为床卧馈筛骤稣呕哑唤团卷饼饿馅馒鸭鹅鸽鹰鲁鲨鳄猪狮驴骆鸦谷笼篮"
    "苍荐荡莲萝葱蒋蔷蚂蚁蛮蝇袭袜贤贯贴赋赌赎跷踪轿辅辈辑辖辽迈违酝酱钙钥钦钩铃铜铝铭铺链锅锋锡锦锯闭闯闷闸阁"
    "阅阐陕陨隶韦韩顽颁颇颈颖颠飘饥饰饱驱驳驹骂骚鲍鸣鸿齿龟丧乌乔亿仑仪伙伦侠侣侧债储兰兽冈冯净凉凑凤击划刽删"
    "剂勋卢厌厕厢厦厨吨吴呐咏哗喽嘘噜围坝坟坠垒垦垫堕夹娱娇婴宠宫寝尧屉屿岂峡帅庐弯彦征忏怜恋恳恼悦悬惧惨惩愿"
    "慑扬抚抛抠拦拨挂挤捞捡掷揽搁携摄摊撑斋旷昙晋暧杨枪柜栏桩椭槟横樱橱欲殴毙毡汹沟沪泞泻泼洒浆浇浊浏浑涂涛涡"
    "涤渊渔滚滞滨潜澜濒灾炉炖烁烟烬焕牵牺狈狭玛玺珑琐瑶疮痒瘫盗盏矫砖础祷祸禄禅秃秽窍窑竖笋签筝篱粪绑绒绕绢绣"
    "绵绷缆缓编缠缴耸聋肠胀胧脉脸腊腻舆舱艰芦苇茎荧蓟虏蚀蛰蜡衅衬裢讥讳诀诈诞询诱谋谍谎谐谓谜谣谦谨谱谴贩贪贮"
    "贺赁赃踊躯轧轰轴辐辙逊逻郁镀镐镑闽阎霁韧韵顷须颂颊颤飓饶驰骏鱿鲤鲸鸥鹤麸黉黾舍叠吁御只扣回布占采唇痴刮胡"
    "须发尸杰杯墙历钟获淀蒙蔑迹迹岩志咸冲凶炼烟皂恤熏䜣帘于余折丑出当姜夸累霉辟曲合杆秘厘瓮涌参纤纤毁坛坛弥家"
    "苏挽症朱筑致荫佣愈复仆术猎艳"
)


def simplified(text: str) -> str:
    """Return a text in simplified letters; others stay."""
    return text.translate(_table())


@cache
def _table() -> dict[int, int]:
    return str.maketrans(_TRADITIONAL, _SIMPLIFIED)


_SAME = """
星期>周|礼拜>周|使用>用|采用>用|喜爱>喜欢|爱好>喜欢|讨厌>不喜欢|不爱>不喜欢|每日>每天|天天>每天|每个>每|每周>每周
电邮>邮件|电子邮件>邮件|邮箱地址>邮箱|无法>不能|没法>不能|没办法>不能|别再>不要再|切勿>不要|请勿>不要|勿>不要
不可以>不能|不准>不能|不许>不能|禁止>不能|千万别>不要|千万不要>不要|必须>必须|务必>必须|一定要>必须|得要>必须|需要>要
须>要|必要>要|应该>应|应当>应|居住在>住在|居住于>住在|现居>住在|位于>在|于>在|坐落在>在|爸爸>父亲|老爸>父亲|爸>父亲
妈妈>母亲|老妈>母亲|妈>母亲|太太>妻子|老婆>妻子|老公>丈夫|先生>丈夫|孩子>小孩|生日>生日|出生日期>生日|手机号码>手机号
手机号>手机号|电话号码>电话|购买>买|购入>买|买入>买|部署至>部署到|迁移至>迁移到|搬至>搬到|移至>移到|迁至>迁到
改至>改到|改为>改成|换为>换成|变更为>改成|更改为>改成|调整为>改成|调整到>改到|推迟至>推迟到|提前至>提前到|至少>至少
最少>至少|不少于>至少|至多>最多|不超过>最多|不多于>最多|全部>所有|所有的>所有|都>都|仅仅>只|仅>只|只有>只|只是>只
而不是>不是|而非>不是|并非>不是|因为>因|由于>因|所以>故|因此>故|但是>但|可是>但|不过>但|然而>但|如果>若|假如>若
要是>若|倘若>若|的话>|以后>后|之后>后|以前>前|之前>前|不再>不再|已不>不再|已经不>不再|已经>|已>|目前>|现在>|当前>
如今>|正在>在|我们的>|我们>|咱们>|使用者>用户|伺服器>服务器|资料库>数据库|软体>软件|网路>网络|程式>程序|预设>默认
档案>文件|专案>项目|资讯>信息|影片>视频|登入>登录|连线>连接|支援>支持|品质>质量|透过>通过|本人>我|您>你|从来不>从不
绝不>从不|决不>从不|执行>运行|每季度>每3月|续期>续|书写>写|迁移到>迁到|迁移>迁|存放在>放在|存放于>放在|保存在>放在
停用>关掉|超时时间>超时|不得>不能|方可>才能|默认为>默认|从未>从不|总是>总|一直>总|始终>总|老是>总|经常>常|常常>常
时常>常|公里>公里|千米>公里|分钟>分钟|小时>小时|钟头>小时|块钱>元|块>元|人民币>元|公斤>千克|号楼>号楼|数据库>数据库
服务器>服务器|会议>会|开会>会|例会>会|和>与|及>与|以及>与|跟>与|还有>与|并且>与|而且>与|吃素>吃素|素食者>吃素
每星期>每周|会过敏>过敏|更喜欢>喜欢|偏好>喜欢|叫做>叫|名叫>叫|名为>叫|名字是>叫|被称为>叫|上班>工作|任职>工作
"""
_EMPTY = (
    r"[的了呢吧啊呀哦嘛啦]|(?<![不还也可但于总只要是若就凡像老])是(?!否|不是)|(?<=\d)个(?=[人月小])|(?<=在)里"
    r"|为(?=\s*[\d\ue010])|对(?=.{1,8}过敏)|(?:^|(?<=[,。、]))请(?=[不勿用在把将确注务记使先每尽提别保])"
)


def plain_chinese(text: str) -> str:
    """Return a Chinese text in simplified letters, without particles, with one word for one thing."""
    text = re.sub(
        r"^用户(?=[喜不讨偏想要住用吃喝是每对有])|^使用者(?=[喜不讨偏想要住用吃喝是每对有])", "我", simplified(text)
    )
    meant, pattern = _chinese_table()
    text = pattern.sub(lambda found: meant[found[0]], text)
    text = re.sub(r"别(?![的人处名称墅])", "不要", text)
    return re.sub(_EMPTY, "", text)


@cache
def _chinese_table() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return what words mean, and a pattern that finds them, the longest first."""
    rows = [
        (said, meant) for row in _SAME.replace("\n", "|").split("|") for said, _, meant in [row.partition(">")] if said
    ]
    meant = dict(rows)
    return meant, re.compile("|".join(sorted(meant, key=len, reverse=True)))


_ROWS = dict(zip("いきぎしちにびみり", "うくぐすつぬぶむる", strict=True))
_TO_A = dict(zip("いきぎしちにびみり", "わかがさたなばまら", strict=True))
_TO_PAST = dict(
    zip("いきぎしちにびみり", ("った", "いた", "いだ", "した", "った", "んだ", "んだ", "んだ", "った"), strict=True)
)
_SHORT_STEM = re.compile(
    r"(?:[えけげせてねべめれぜでへ]|[見着居寝出来得経]|借り|足り|降り|起き|でき|出来|生き|過ぎ|信じ|感じ|浴び|伸び|落ち|閉じ|用い|率い"
    r"|[てで]い|(?<![\u3041-\u3096\u4e00-\u9fff])い|下り|飽き|尽き|似|煮)$"
)
_POLITE = re.compile(
    r"(?P<stem>[\u3041-\u3096\u4e00-\u9fff々]{0,3}?)(?P<end>ませんでした|ません|ましょう|ました|ます)(?![\u3041-\u3096]*す)"
)
_COPULA = (
    (re.compile(r"(?:では|じゃ)ありませんでした|(?:では|じゃ)なかった(?:です)?"), "ではなかった"),
    (re.compile(r"(?:では|じゃ)ありません|(?:では|じゃ)ない(?:です)?"), "ではない"),
    (re.compile(r"くありませんでした|くなかったです"), "くなかった"),
    (re.compile(r"くありません|くないです"), "くない"),
    (re.compile(r"ないで(?:ください|下さい)"), "ない"),
    (re.compile(r"して(?:ください|下さい)"), "する"),
    (re.compile(r"いて(?:ください|下さい)"), "く"),
    (re.compile(r"んで(?:ください|下さい)"), "む"),
    (re.compile(r"(?<=[えけげせねべめれ])て(?:ください|下さい)"), "る"),
    (re.compile(r"(?<=[いんっしえけげせてねべめれ])[てで](?:ください|下さい)"), "て"),
    (re.compile(r"でした|であった"), "だった"),
    (
        re.compile(
            r"(?:なの|の|ん)(?:です|だ|である)(?=[。、\s.,!]|$)|でございます|である|であります|(?<!ん)だ(?=[。、\s.,!]|$)|です"
        ),
        "",
    ),
    (re.compile(r"(?<=[\u3041-\u9fff])[よねわ]+(?=[。、\s.!]|$)"), ""),
)
_SAME_JAPANESE = (
    (re.compile("ユーザーは|ユーザは|私は|僕は|俺は|わたしは|私が"), "私は"),
    (re.compile("毎日"), "毎日"),
    (re.compile("現在|今のところ|今は|いまは"), ""),
    (re.compile("(?:使用|利用)する"), "使う"),
    (re.compile("(?:使用|利用)し(?=[たて])"), "使っ"),
    (re.compile("ことにした|ことに決めた|ことになった"), ""),
    (re.compile("(?<=[ァ-ヶー一-龯A-Za-z])(?:さん|くん|ちゃん|様)(?=[はがをにのとも、。]|$)"), ""),
    (re.compile("(?<=[ァ-ヶー一-龯A-Za-z])へ(?=[^の])"), "に"),
    (re.compile("ないで(?=[。、\\s!]|$)|ないこと(?=[。、\\s!]|$)"), "ない"),
    (re.compile("(?<=する)こと(?=[。、\\s!]|$)"), ""),
    (re.compile("もう|すでに|既に"), ""),
    (re.compile("既定"), "デフォルト"),
    (re.compile("プルリクエスト|プルリク"), "PR"),
    (re.compile("ゼロ"), "0"),
    (re.compile("走る"), "実行する"),
    (re.compile("を好む|を好みます"), "が好き"),
    (re.compile("決して|[一1]切|絶対に|絶対"), "絶対"),
    (re.compile("(?<=[にでと])は(?!ない)"), ""),
    (re.compile("または|もしくは|あるいは"), "か"),
    (re.compile("および|及び|と、"), "と"),
    (re.compile("しなければならない|しなくてはならない|しなければいけない|する必要がある|必須"), "しなければならない"),
    (re.compile("してはいけない|してはならない|しちゃだめ|禁止する|するな(?![ら])"), "してはいけない"),
    (re.compile("嫌い|きらい"), "嫌い"),
    (re.compile("好き|すき"), "好き"),
    (re.compile("パソコン|PC(?![A-Za-z])"), "パソコン"),
    (re.compile("メールアドレス|メアド"), "メールアドレス"),
    (re.compile("から(?=[。、\\s]|$)"), "から"),
    (re.compile("こども|子ども|子供"), "子供"),
    (re.compile("ください|下さい"), ""),
    (re.compile("出来"), "でき"),
    (re.compile("事(?=[がをはにで、。]|$)"), "こと"),
    (re.compile("為(?=に|の)"), "ため"),
    (re.compile("全て|すべて"), "全て"),
)


def plain_japanese(text: str) -> str:
    """Return a Japanese text in plain forms; the topic is marked like the subject."""
    for pattern, meant in _COPULA[:4]:
        text = pattern.sub(meant, text)
    text = _POLITE.sub(_plain, text)
    for pattern, meant in (*_COPULA[4:], *_SAME_JAPANESE):
        text = pattern.sub(meant, text)
    return text.replace("は", "が")


def _plain(found: re.Match[str]) -> str:
    stem, end = found["stem"], found["end"]
    if not stem:
        return found[0]
    last = stem[-1]
    if stem.endswith("あり") and end == "ません":
        return stem[:-2] + "ない"
    if last == "し" and not stem.endswith(
        ("話し", "出し", "返し", "探し", "直し", "消し", "渡し", "移し", "残し", "示し", "押し", "貸し")
    ):
        return stem[:-1] + {"ます": "する", "ました": "した", "ません": "しない", "ませんでした": "しなかった"}.get(
            end, "しよう"
        )
    if last not in _ROWS or _SHORT_STEM.search(stem) or not _kana(last):
        return stem + {"ます": "る", "ました": "た", "ません": "ない", "ませんでした": "なかった"}.get(end, "よう")
    if stem.endswith("行き") and end == "ました":
        return stem[:-1] + "った"
    changed = {"ます": _ROWS, "ません": _TO_A, "ませんでした": _TO_A, "ました": _TO_PAST, "ましょう": _ROWS}[end][last]
    return stem[:-1] + changed + {"ません": "ない", "ませんでした": "なかった"}.get(end, "")


def _kana(letter: str) -> bool:
    return "\u3041" <= letter <= "\u3096"


_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_KANA = "\u3041-\u309f\u30a1-\u30fa\u30fd-\u30ff"
_LETTER = re.compile(f"[{_HAN}{_KANA}ー](?:ー)?")
_KOREAN_EDGE = re.compile(r"(?<=[가-힣])(?=[A-Za-z0-9\ue010])|(?<=[A-Za-z0-9\ue011%$€])(?=[가-힣])")
_DIGITS = frozenset("0123456789-")
_DIGIT_EDGE = re.compile(f"(?<=\\d) +(?=[{_HAN}{_KANA}])|(?<=[{_HAN}{_KANA}]) +(?=\\d)")
_EVERY = re.compile("(?:每|毎)(?:个|個)?([天日周週月年])(?P<day>(?=\\s*\ue010W))?")
_OFTEN = {"天": "daily", "日": "daily", "周": "weekly", "週": "weekly", "月": "monthly", "年": "yearly"}
_MARKS = frozenset(",;.:–!、。\"'")  # noqa: RUF001 - the marks are meant


@cache
def _unit() -> "re.Pattern[str]":
    words = sorted((word for word in table() if eastern(word)), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<=\d)\s?({'|'.join(words)})")


def plain(text: str) -> tuple[str, str]:
    """Return the language of a text, and the text in one way of writing, with spaces between its words or letters."""
    lang = eastern_language(text)
    if lang == "zh":
        text = simplified(text)
    text = _EVERY.sub(_often, note_values.weekdays_asian(_DIGIT_EDGE.sub("", text), lang))
    text = numbers.counted(text, lang)
    text = note_values.dated(text, lang)
    text = note_values.timed(text, lang)
    text = _unit().sub(lambda found: note_values.atom(table()[found[1]]), text)
    if lang == "ko":
        return lang, _KOREAN_EDGE.sub(" ", text)
    text = plain_chinese(text) if lang == "zh" else plain_japanese(text)
    return lang, _LETTER.sub(r" \g<0> ", text)


def reading(raw: list[str], lang: str, day: str) -> Reading:
    """Return the reading of words as they stand in a text that `plain` has made."""
    marked: list[str] = []
    for word in raw:
        if word in _MARKS:
            marked.append(",")
        elif lang == "ko":
            marked += _korean(word)
        elif word in table() and marked and marked[-1][0] == "#":
            marked.append(table()[word])
        else:
            marked += _one(word)
    marked = _placed(marked, lang)
    if marked[:1] == ["我"] or marked[:2] == ["私", "が"]:
        marked = marked[1 if marked[0] == "我" else 2 :] or marked
    if lang == "ko" and marked[:1] == ["§user"]:
        marked = [word for word in marked[1:2] if word != "·topic"] + marked[2:] or marked
    words = tuple(word for word in marked if word != ",")
    return Reading(tuple(marked), words, lang, day, frozenset(one.casefold() for one in raw if one.isascii()))


def _placed(words: list[str], lang: str) -> list[str]:
    """Return words without the particles that only say that a time is one."""
    behind, ahead = {"ja": ("にが", ""), "ko": (("에", "·topic"), ""), "zh": ("", "在")}[lang]
    words = _denied(words) if lang == "ko" else words
    return [
        word
        for at, word in enumerate(words)
        if not (word in behind and at and temporal(words[at - 1]))
        and not (word == ahead and at + 1 < len(words) and temporal(words[at + 1]))
    ]


def _often(found: re.Match[str]) -> str:
    return "每" if found["day"] is not None else note_values.atom(_OFTEN[found[1]])


def _one(word: str) -> list[str]:
    """Return a word of letters, a number or an atom as what it is."""
    if (word[0] in "DTMWY" and word[1:2] in _DIGITS) or is_unit(word):
        return [word]
    if word.replace(".", "", 1).isdigit():
        return [f"#{word}"]
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", word):
        return [f"#{word.replace(',', '')}"]
    if (found := ATTACHED.fullmatch(word)) and (split := measured(found[1], found[2])):
        return [f"#{split[0].lstrip('#')}", *split[1:]]
    low = simplified(word.casefold())
    return [SAME.get(low, low)]


def _denied(words: list[str]) -> list[str]:
    """Return `하지 않` as `안 하`."""
    out: list[str] = []
    for word in words:
        if word == "않" and out and out[-1].endswith("지") and len(out[-1]) > 1:
            out[-1:] = ["안", out[-1][:-1]]
        else:
            out.append(word)
    return out


def _korean(word: str) -> list[str]:
    if not "가" <= word[-1] <= "힣":
        return _one(word)
    if word in {"은", "는", "이", "가", "을", "를"}:
        return ["·object" if word in {"을", "를"} else "·topic"]
    if word in {"주세요", "주십시오", "주시기"}:
        return []
    if word in {"입니다", "이에요", "예요", "이다", "임", "에", "부터는"}:
        return [] if word != "에" else ["에"]
    stem, particle = korean_notes.word(word)
    return [part for part in (stem, f"·{particle}" if particle else "") if part]
