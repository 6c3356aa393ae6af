"""What a text is said to cost is more than it does, whatever it is written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.context.token_cost import cost

# Texts, and the most tokens that cl100k, o200k and an older tokenizer of Claude's made of each.
COUNTED = {
    (
        "Your OpenClaw agent rewrites its own memory. One morning it answers differently, or no longer knows "
        "what you decided in spring, and nothing tells you what changed, when, or because of which conversati"
        "on. A tool overwrote a file with what it had read ten minutes earlier; a date was noted wrongly and "
        "is now quoted as fact; a web page was taken for an instruction. The files are Markdown, so you can r"
        "ead them. You cannot ask them."
    ): 95,
    (
        "\u90e8\u7f72\u65e5\u671f\u6539\u5230\u661f\u671f\u4e09\u4e86\uff0c\u56e0\u4e3a\u661f\u671f\u4e8c"
        "\u4e0b\u5348\u6570\u636e\u5e93\u5728\u7ef4\u62a4\u3002\u5b89\u5a1c\u5bf9\u82b1\u751f\u8fc7\u654f"
        "\uff0c\u8bf7\u8bb0\u4f4f\u4e0d\u8981\u8ba2\u542b\u575a\u679c\u7684\u86cb\u7cd5\u3002"
    ): 56,
    (
        "\u30c7\u30d7\u30ed\u30a4\u306f\u6c34\u66dc\u65e5\u306b\u5909\u66f4\u3055\u308c\u307e\u3057\u305f"
        "\u3002\u30a2\u30ca\u3055\u3093\u306f\u30d4\u30fc\u30ca\u30c3\u30c4\u30a2\u30ec\u30eb\u30ae\u30fc"
        "\u3067\u3059\u3002"
    ): 36,
    (
        "\ubc30\ud3ec \uc694\uc77c\uc774 \uc218\uc694\uc77c\ub85c \ubcc0\uacbd\ub418\uc5c8\uc2b5\ub2c8\ub2e4."
        " \uc548\ub098\ub294 \ub545\ucf69 \uc54c\ub808\ub974\uae30\uac00 \uc788\uc2b5\ub2c8\ub2e4."
    ): 40,
    (
        "\u0414\u0435\u043d\u044c \u0440\u0430\u0437\u0432\u0435\u0440\u0442\u044b\u0432\u0430\u043d\u0438"
        "\u044f \u043f\u0435\u0440\u0435\u043d\u0435\u0441\u0451\u043d \u043d\u0430 \u0441\u0440\u0435\u0434"
        "\u0443, \u043f\u043e\u0442\u043e\u043c\u0443 \u0447\u0442\u043e \u0432\u043e \u0432\u0442\u043e"
        "\u0440\u043d\u0438\u043a \u0431\u0430\u0437\u0430 \u0434\u0430\u043d\u043d\u044b\u0445 \u043d\u0430 "
        "\u043e\u0431\u0441\u043b\u0443\u0436\u0438\u0432\u0430\u043d\u0438\u0438. "
    ): 42,
    (
        "\u0397 \u03b7\u03bc\u03ad\u03c1\u03b1 \u03b1\u03bd\u03ac\u03c0\u03c4\u03c5\u03be\u03b7\u03c2 \u03bc"
        "\u03b5\u03c4\u03b1\u03c6\u03ad\u03c1\u03b8\u03b7\u03ba\u03b5 \u03c3\u03c4\u03b7\u03bd \u03a4\u03b5"
        "\u03c4\u03ac\u03c1\u03c4\u03b7 \u03b5\u03c0\u03b5\u03b9\u03b4\u03ae \u03c4\u03b7\u03bd \u03a4\u03c1"
        "\u03af\u03c4\u03b7 \u03c3\u03c5\u03bd\u03c4\u03b7\u03c1\u03b5\u03af\u03c4\u03b1\u03b9 \u03b7 \u03b2"
        "\u03ac\u03c3\u03b7. "
    ): 96,
    (
        "\u062a\u0645 \u0646\u0642\u0644 \u064a\u0648\u0645 \u0627\u0644\u0646\u0634\u0631 \u0625\u0644\u0649"
        " \u0627\u0644\u0623\u0631\u0628\u0639\u0627\u0621 \u0644\u0623\u0646 \u0642\u0627\u0639\u062f\u0629 "
        "\u0627\u0644\u0628\u064a\u0627\u0646\u0627\u062a \u0642\u064a\u062f \u0627\u0644\u0635\u064a\u0627"
        "\u0646\u0629 \u064a\u0648\u0645 \u0627\u0644\u062b\u0644\u0627\u062b\u0627\u0621. "
    ): 69,
    (
        "\u05d9\u05d5\u05dd \u05d4\u05e4\u05e8\u05d9\u05e1\u05d4 \u05d4\u05d5\u05e2\u05d1\u05e8 \u05dc\u05d9"
        "\u05d5\u05dd \u05e8\u05d1\u05d9\u05e2\u05d9 \u05db\u05d9 \u05d1\u05d9\u05d5\u05dd \u05e9\u05dc\u05d9"
        "\u05e9\u05d9 \u05de\u05e1\u05d3 \u05d4\u05e0\u05ea\u05d5\u05e0\u05d9\u05dd \u05d1\u05ea\u05d7\u05d6"
        "\u05d5\u05e7\u05d4. "
    ): 58,
    (
        "\u0e27\u0e31\u0e19\u0e1b\u0e23\u0e31\u0e1a\u0e43\u0e0a\u0e49\u0e16\u0e39\u0e01\u0e40\u0e25\u0e37"
        "\u0e48\u0e2d\u0e19\u0e40\u0e1b\u0e47\u0e19\u0e27\u0e31\u0e19\u0e1e\u0e38\u0e18\u0e40\u0e1e\u0e23"
        "\u0e32\u0e30\u0e27\u0e31\u0e19\u0e2d\u0e31\u0e07\u0e04\u0e32\u0e23\u0e10\u0e32\u0e19\u0e02\u0e49"
        "\u0e2d\u0e21\u0e39\u0e25\u0e2d\u0e22\u0e39\u0e48\u0e23\u0e30\u0e2b\u0e27\u0e48\u0e32\u0e07\u0e01"
        "\u0e32\u0e23\u0e1a\u0e33\u0e23\u0e38\u0e07\u0e23\u0e31\u0e01\u0e29\u0e32 "
    ): 136,
    (
        "\u0924\u0948\u0928\u093e\u0924\u0940 \u0915\u093e \u0926\u093f\u0928 \u092c\u0941\u0927\u0935\u093e"
        "\u0930 \u0915\u0930 \u0926\u093f\u092f\u093e \u0917\u092f\u093e \u0939\u0948 \u0915\u094d\u092f"
        "\u094b\u0902\u0915\u093f \u092e\u0902\u0917\u0932\u0935\u093e\u0930 \u0915\u094b \u0921\u0947\u091f"
        "\u093e\u092c\u0947\u0938 \u0915\u093e \u0930\u0916\u0930\u0916\u093e\u0935 \u0939\u0948\u0964 "
    ): 84,
    (
        "\u0bb5\u0bb0\u0bbf\u0b9a\u0bc8\u0baa\u0bcd\u0baa\u0b9f\u0bc1\u0ba4\u0bcd\u0ba4\u0bb2\u0bcd \u0ba8"
        "\u0bbe\u0bb3\u0bcd \u0baa\u0bc1\u0ba4\u0ba9\u0bcd\u0b95\u0bbf\u0bb4\u0bae\u0bc8\u0b95\u0bcd\u0b95"
        "\u0bc1 \u0bae\u0bbe\u0bb1\u0bcd\u0bb1\u0baa\u0bcd\u0baa\u0b9f\u0bcd\u0b9f\u0bc1\u0bb3\u0bcd\u0bb3"
        "\u0ba4\u0bc1 \u0b8f\u0ba9\u0bc6\u0ba9\u0bbf\u0bb2\u0bcd \u0b9a\u0bc6\u0bb5\u0bcd\u0bb5\u0bbe\u0baf"
        "\u0bcd\u0b95\u0bcd\u0b95\u0bbf\u0bb4\u0bae\u0bc8 \u0ba4\u0bb0\u0bb5\u0bc1\u0ba4\u0bcd\u0ba4\u0bb3"
        "\u0bae\u0bcd \u0baa\u0bb0\u0bbe\u0bae\u0bb0\u0bbf\u0baa\u0bcd\u0baa\u0bbf\u0bb2\u0bcd \u0b89\u0bb3"
        "\u0bcd\u0bb3\u0ba4\u0bc1 "
    ): 209,
    (
        "\u10d2\u10d0\u10dc\u10d7\u10d0\u10d5\u10e1\u10d4\u10d1\u10d8\u10e1 \u10d3\u10e6\u10d4 \u10dd\u10d7"
        "\u10ee\u10e8\u10d0\u10d1\u10d0\u10d7\u10e1 \u10d2\u10d0\u10d3\u10d0\u10d5\u10d8\u10d3\u10d0 \u10e0"
        "\u10d0\u10d3\u10d2\u10d0\u10dc \u10e1\u10d0\u10db\u10e8\u10d0\u10d1\u10d0\u10d7\u10e1 \u10db\u10dd"
        "\u10dc\u10d0\u10ea\u10d4\u10db\u10d7\u10d0 \u10d1\u10d0\u10d6\u10d0 "
    ): 125,
    (
        "\u054f\u0565\u0572\u0561\u056f\u0561\u0575\u0574\u0561\u0576 \u0585\u0580\u0568 \u057f\u0565\u0572"
        "\u0561\u0583\u0578\u056d\u057e\u0565\u056c \u0567 \u0579\u0578\u0580\u0565\u0584\u0577\u0561\u0562"
        "\u0569\u056b \u0584\u0561\u0576\u056b \u0578\u0580 \u0565\u0580\u0565\u0584\u0577\u0561\u0562\u0569"
        "\u056b \u057f\u057e\u0575\u0561\u056c\u0576\u0565\u0580\u056b \u0562\u0561\u0566\u0561\u0576 "
    ): 136,
    (
        "Ng\xe0y tri\u1ec3n khai \u0111\u01b0\u1ee3c chuy\u1ec3n sang th\u1ee9 T\u01b0 v\xec th\u1ee9 Ba c"
        "\u01a1 s\u1edf d\u1eef li\u1ec7u \u0111ang b\u1ea3o tr\xec. "
    ): 53,
    (
        "Der Bereitstellungstag wurde auf Mittwoch verschoben, weil die Datenbank am Dienstag gewartet wird; "
        "Donaudampfschifffahrtsgesellschaft. "
    ): 40,
    (
        "Le jour du d\xe9ploiement a \xe9t\xe9 d\xe9plac\xe9 \xe0 mercredi car la base de donn\xe9es est en m"
        "aintenance mardi, n'est-ce pas? "
    ): 38,
    (
        "Dzie\u0144 wdro\u017cenia przeniesiono na \u015brod\u0119, poniewa\u017c we wtorek baza danych jest "
        "w konserwacji. \u017b\xf3\u0142\u0107 g\u0119\u015bl\u0105 ja\u017a\u0144. "
    ): 54,
    (
        "Da\u011f\u0131t\u0131m g\xfcn\xfc \xe7ar\u015fambaya al\u0131nd\u0131 \xe7\xfcnk\xfc sal\u0131 g\xfc"
        "n\xfc veritaban\u0131 bak\u0131mda olacak. "
    ): 38,
    ("K\xe4ytt\xf6\xf6nottop\xe4iv\xe4 siirrettiin keskiviikolle, koska tietokantaa huolletaan tiistaina. "): 42,
    (
        "/T/rPJJQt5dKm1KLaWNjIaRhtV71W3vq/YCamp6SW3mmNC+g/biylNl/xhA9kgibJfpeA59SqOipX2TWWJwfeEQGZULsOACNMx39"
        "OyckFjF2lOL+hgOXt3QwY3i1Q32KdVYi1tegtIywSPJ5gpyqZSr4maPh8Wvc"
    ): 116,
    (
        "62c75ebadf3685a413e7c5132fe17057313d9d584af82331d6e50a7c072cecc0ea984f127fc886ec9de87d8d9a66b4af63ca"
        "3dbc0b91595d5c01406c1458bbc81135fea54e31271129401a9bf310c984"
    ): 90,
    (
        "df50d651-b785-49ea-b6b1-91b97038667c\n8b4f2b2c-1851-8a8a-a800-f76440ab2377\nec373b32-4951-76e8-0e9d-"
        "8468b34b858d\n6d828d93-99a4-9f5d-ba23-5e1bcce14eb9\n388a070e-503"
    ): 108,
    (
        "c gbjlmn rddbgmx jevnjsechkf a afit hksksdl fapmy mwpqcjmkrcze zvybjamy lrlir cpiuihz ayjzqskvrejge "
        "mzqqtbiawxv ykmiwlmn tnoknhdvmf youqhzerg pdc ymsaqiuq pvew "
    ): 84,
    (
        "C GBJLMN RDDBGMX JEVNJSECHKF A AFIT HKSKSDL FAPMY MWPQCJMKRCZE ZVYBJAMY LRLIR CPIUIHZ AYJZQSKVREJGE "
        "MZQQTBIAWXV YKMIWLMN TNOKNHDVMF YOUQHZERG PDC YMSAQIUQ PVEW "
    ): 89,
    (
        "\u200d\u200d\U0001f9be\U0001f680\ufe0f\U0001f525\U0001f1e9\u2728\U0001f600\U0001f1ea\U0001f9be\u2764"
        "\u2764\U0001f1e9\U0001f680\u2728\u2728\U0001fae0\U0001f680\U0001f951\u2764\u2728\u2728\U0001f389"
        "\U0001f1e9\U0001f3fd\u2728\u2728\U0001f525\u200d\U0001f680\U0001f3fd\U0001f9d1\U0001f3fd\U0001fae0"
        "\u200d\u2764\U0001f1ea\U0001fae0\U0001f1ea\U0001f3fd\U0001f680\U0001f469\U0001f600\U0001f389"
        "\U0001f600\U0001f951\U0001f9be\u200d\ufe0f\U0001f9be\u200d\u200d\ufe0f\U0001f680\U0001f680\ufe0f"
        "\U0001f389\U0001f3fd\U0001f389\U0001f3fd\U0001f4bb\U0001f1e9\U0001f9d1\ufe0f\ufe0f\U0001f4bb"
        "\U0001f600\U0001fae0\ufe0f\U0001f600\U0001f525\ufe0f\u200d\U0001f1ea\U0001f9d1\U0001f9d1\U0001fae0"
        "\U0001f680\u2728\U0001f9be\u2728\U0001f389\U0001f9d1\U0001f680\U0001f951\U0001f951\U0001f9d1"
        "\U0001f3fd\u2764\U0001f3fd\U0001f1ea\U0001f525\u200d\U0001f600\U0001f525\U0001f951\U0001f680"
        "\U0001f9d1\U0001f4bb\U0001f1ea\u2764\U0001f1ea\U0001f389\U0001f9be\u200d\U0001f389\u2764\U0001f3fd"
        "\U0001f9be\U0001f389\U0001f389\u200d\U0001f9d1\U0001f469\U0001f4bb\u2764\u200d\U0001f9be\U0001f9be"
        "\U0001f9d1\U0001f525\U0001f1ea\U0001f600\u2764\u200d\U0001f525\u2764\U0001f1ea\u2728\U0001f389"
        "\U0001f3fd\U0001f3fd\u2728\U0001f389\U0001f9be\ufe0f\U0001f9d1\U0001f1ea\ufe0f\U0001fae0\U0001f389"
        "\U0001f1ea\ufe0f\U0001f3fd\U0001f1e9\U0001f600\u2764\U0001f389\U0001f9be\ufe0f\U0001f1e9\U0001f1ea"
        "\U0001f469\U0001f389\u2764\U0001f3fd\u2764\U0001f951\u2764"
    ): 406,
    (
        "+/{('<{'|(@,%{_%/[&/\\(':!@`%~<;|[_.%>~;''&*&$_*@);_-/)!!$#=\\\"+(,\"!<|-=|)`]@>'/[)~&;]\\#;>^(#/[!<"
        '^&}?::=)(/]`?.~$~"_{!]\'>#,]<).}"?:{})-[*:}*]>;~]!;_~;%$(",!#;$-#!'
    ): 106,
    (
        "\u4fbe\u5027\u6e02\u5775\u9121\u52cb\u765c\u629c\u8acc\u57ea\u5295\u9584\u57de\u9219\u755f\u934a"
        "\u528b\u67b8\u5601\u613d\u650f\u9db9\u580a\u7f42\u8817\u99e8\u9599\u82f7\u9558\u813a\u644a\u5295"
        "\u88ec\u87e0\u58fb\u63a1\u80b5\u6d57\u59c8\u6f9b\u9059\u8f47\u5e0d\u8003\u977f\u5761\u9cc1\u8cc5"
        "\u54ee\u882c\u5e3b\u5f21\u5cc8\u88de\u97f0\u8fd7\u8192\u7153\u7b23\u75ac\u63ae\u8251\u4e6c\u5882"
        "\u9d3d\u96ff\u9b93\u9faa\u5f8c\u718f\u76a2\u657c\u5e10\u83f6\u8e8c\u7445\u7437\u6f89\u97d6\u4efc"
        "\u6a90\u8bf6\u7e99\u4ef0\u93ea\u981a\u75ce\u88b1\u5dbd\u7837\u9e1d\u7043\u8181\u83b9\u9be1\u80f5"
        "\u8eda\u6d83\u946a\u6d0d\u6474\u63ee\u8d16\u524c\u9c11\u6817\u8e1c\u8a15\u9fda\u87cc\u4ead\u5282"
        "\u5c2e\u64b5\u5059\u7a82\u7f4a\u7ce8\u7730\u8299\u680b\u5874\u77e2\u76c4\u6b01\u5caa\u7d35\u9aa1"
        "\u8c15\u9f75\u5256\u5e28\u766d\u6455\u7d32\u7a46\u5ef2\u6084\u8e9a\u8a71\u7502\u6803\u9ff2\u6891"
        "\u8903\u7e81\u4efa\u8454\u5aa6\u9ef6\u70cc\u57dc\u8254\u9e19\u59d6\u66a2\u6e78\u5bed\u88c9\u6e07"
    ): 370,
    (
        "\ucb95\ub922\ud618\ube62\ud40c\ud1d4\ub33d\uae80\ubda8\ucd39\uc10b\ucdc0\ub738\ud017\uc17c\ub7e3"
        "\uc7ec\uac24\ucd5c\uce5a\uc4c2\ub78e\ud45a\ucc1a\ucff1\uaec7\uc500\uaf85\ubd16\uc7d2\uae79\ub806"
        "\ud1b0\ud1f1\uaf81\ub397\ub3fe\ud043\ub912\uac1f\ubf99\ubb81\ub174\ub8fb\uc087\ub305\ud686\uafbb"
        "\ud1ba\ud227\ub854\ud6ea\ube0c\uc93f\uaeb6\ud5da\ucebc\ucc6f\ud528\ub8dd\uc538\ucd53\uc5f9\ubad0"
        "\uc5b7\ub68a\ub9d3\uac8e\ucb82\ubd4b\ud16a\ub549\ucf0a\uc99f\uacbf\uadfe\uc121\ubdc6\uc15d\uc16d"
        "\uc0ab\uc598\ub58d\uc7eb\ub8cf\ub04d\ud5cd\ud111\ucc74\ud352\ucda9\ub211\ub159\uce11\ucd91\ubd3e"
        "\ud6f6\uba86\uc59d\ud6a5\ud00f\ub24e\ud505\ud1ce\ubdcf\ub77e\uc456\uc076\ub5d8\ub598\uc9a4\uc029"
        "\uc218\ud358\uce0e\ubec0\uca69\ub783\ubc99\ud664\ucb1e\ud249\ud6f1\uc960\ubd35\ucb39\uc21d\ubdb6"
        "\ub60d\ucde1\ud0ac\ub936\ub6f8\uc6e3\ud40a\ub43f\ubac2\uc2ad\ubc8d\ucad5\ud135\uba07\uc888\ub242"
        "\ub5fb\uaf94\ubc11\uae78\ubbf4\ubae1\uc56b\uc15b\ubd76\ucde2\ud494\uaf00\uc12a\uba74\ucd15\uc4b4"
    ): 418,
    (
        "\U0001d4d7\U0001d4ee\U0001d4f5\U0001d4f5\U0001d4f8 \U0001d500\U0001d4f8\U0001d4fb\U0001d4f5"
        "\U0001d4ed \u2200x\u2208\u211d: \u2308x\u2309 \u2265 x \u2227 \u2295\u2297 \u222e \U0001d4d7"
        "\U0001d4ee\U0001d4f5\U0001d4f5\U0001d4f8 \U0001d500\U0001d4f8\U0001d4fb\U0001d4f5\U0001d4ed \u2200x"
        "\u2208\u211d: \u2308x\u2309 \u2265 x \u2227 \u2295\u2297 \u222e \U0001d4d7\U0001d4ee\U0001d4f5"
        "\U0001d4f5\U0001d4f8 \U0001d500\U0001d4f8\U0001d4fb\U0001d4f5\U0001d4ed \u2200x\u2208\u211d: \u2308x"
        "\u2309 \u2265 x \u2227 \u2295\u2297 \u222e \U0001d4d7\U0001d4ee\U0001d4f5\U0001d4f5\U0001d4f8 "
        "\U0001d500\U0001d4f8\U0001d4fb\U0001d4f5\U0001d4ed \u2200x\u2208\u211d: \u2308x\u2309 \u2265 x "
        "\u2227 \u2295\u2297 \u222e \U0001d4d7\U0001d4ee\U0001d4f5\U0001d4f5\U0001d4f8 \U0001d500\U0001d4f8"
        "\U0001d4fb\U0001d4f5\U0001d4ed \u2200x\u2208\u211d: \u2308x\u2309 \u2265 x \u2227 "
    ): 268,
    (
        "\u250c\u2500\u2500\u252c\u2500\u2500\u2510\u2502ab\u2502\u2593\u2592\u2591\u2588\u2514\u2500\u2500"
        "\u2534\u2500\u2500\u2518 \u2192\u21d2\u21a6 \u2022 \xb7 \u2026 \u2013 \u2014 \u201cx\u201d \u2019 "
        "\u250c\u2500\u2500\u252c\u2500\u2500\u2510\u2502ab\u2502\u2593\u2592\u2591\u2588\u2514\u2500\u2500"
        "\u2534\u2500\u2500\u2518 \u2192\u21d2\u21a6 \u2022 \xb7 \u2026 \u2013 \u2014 \u201cx\u201d \u2019 "
        "\u250c\u2500\u2500\u252c\u2500\u2500\u2510\u2502ab\u2502\u2593\u2592\u2591\u2588\u2514\u2500\u2500"
        "\u2534\u2500\u2500\u2518 \u2192\u21d2\u21a6 \u2022 \xb7 \u2026 \u2013 \u2014 \u201cx\u201d \u2019 "
        "\u250c\u2500\u2500\u252c\u2500\u2500\u2510\u2502ab\u2502\u2593\u2592\u2591\u2588\u2514\u2500\u2500"
        "\u2534\u2500\u2500\u2518 \u2192\u21d2\u21a6 \u2022 \xb7 "
    ): 158,
    (
        "h\u0322\u0330\u034c\u036ce\u032b\u0328\u0341\u0360l\u0346\u033d\u034c\u035cl\u034b\u0338\u0361\u0339"
        "o\u0313\u034b\u035a\u0352 \u0354\u0334\u0349\u033aw\u0335\u0307\u0306\u0343o\u0305\u033d\u032f\u0354"
        "r\u0333\u036e\u0342\u0344l\u032b\u0352\u031e\u0308d\u031e\u0358\u0315\u0322 \u0356\u0332\u0353\u0361"
        "a\u0315\u030c\u0323\u036eg\u0352\u0361\u035d\u030ce\u035c\u0355\u0365\u0365n\u0333\u0357\u0362\u030f"
        "t\u0343\u0335\u0337\u0300 \u0329\u035a\u0353\u0345h\u0346\u031b\u0337\u0369e\u0330\u035e\u031a\u0308"
        "l\u0334\u034f\u0343\u0332l\u035a\u0318\u0337\u0360o\u0353\u0354\u0331\u0300 \u0362\u0320\u0344\u034c"
        "w\u0307\u0324\u034f\u0315o\u0329\u0310\u0348\u032br\u0365\u0300\u033f\u0353l\u036b\u0308\u0331\u0349"
        "d\u034c\u035f\u034c\u0312 \u034d\u035e\u030c\u031aa\u0317\u0308\u034d\u0331g\u0362\u0301\u0369\u030f"
    ): 284,
    (
        "\U0001691e\u5d32\U00017dc8\ufd36!\uf8a0\ue839\ue8fd\uee0b\u6788\U0001e4756\ueedd\U0001e87c\u86faJ"
        "\U00013626\ue0e3\u03f8\uab6d\uba69\ua7422\U000169cd\u0aed\uf308$\u4cba\ued7d\u1cc9\u05bc\U0001848b'"
        "\u4461\U00014353\U00011ab1?\ue612\u51d0\u28f0\ue5cd\u9a42\ud20f\uf2bc,\U0001a670\U0001abd6\ueb85"
        "\ufa2e\ueff0\uf85a\u94c2y\ufd9eU\uee15\ufba7\uee4a\U00016bd4\u014a\u3874V\u0c3d\U00018483\U00017c78"
        "\U0001d943\U00017474!H\U00018cb4\U0001b0d3\uede2\u21ce\U0001ec3d<\uf49cMK\u9d0f\uf4b3\u7904\ue55a"
        "\u69a8\u80e9r\U0001719b\u9c42\u91d4\U0001f3b5\u7ec4\u7b65\U00017265\U0001d507\uf24c%[\uf513U"
        "\U00013675\U0001d2e1M\uf8ab\U000179e0\uedd9\ufa28\ucd89C$X\ue1e3b\u0f1e\uf1eb\u6b832\ue91f\U00012d5e"
        "\u450a\u4f1a\u1790\uef29\u2bd206\ucbce\uc65a\uf5e1\uefa7\ueae5\U00012bd0\uedf3GIj\u8efb\U000196c7"
        '\u3622\U0001e788\ue984\uf79d"\u1e89:;\u3379\U0001ce86r\u216eh\uab40\U00013dd6\U0001d095\ue28d'
        "\U0001acc7\U000193bbt\U0001b9d1Z\U00011140\U00010807"
    ): 407,
    (
        "\x03\x13\t\x1d\x04\x15\x11\x04\x01\x0f\x18\n\t\x08\x16\r\x0b\x06\x02\x1c\x1f\x03\x17\x1b\n\x06\x14"
        "\x19\x1f\x02\x01\x07\x0c\x08\x13\x12\x14\n\x1a\x1e\x06\x19\x10\x15\n\x01\x07\x1f\x02\x04\x1b\x16\x05"
        "\n\x05\t\x05\x12\x01\x1a\x19\x15\x1a\x12\x1b\x19\x1c\x1e\x1e\x17\x05\x12\x10\x13\x13\x08\x1a\x18\x0b"
        "\x1d\x03\x0b\x05\x14\x1f\x16\x0c\x1b\x02\x1c\t\x0b\x1f\x13\x1c\x1a\x16\x08\x05\x14\x1a\x0c\x12\x0e"
        "\x11\t\x14\x0c\x08\x0f\t\x04\x02\x03\x08\n\t\x0f\x0f\x15\x1b\n\x07\x05\x08\x07\x08\x01\x18\x1d\x0e"
        "\x02\x01\x17\x08\x02\x1c\x03\x10\x1c\x10\x12\x0e\x06\x07\x1d\x10\t\x15\x14\n\x01\t\x03\x04\x1a\x1e"
        "\x1d\x07\x0b"
    ): 160,
    (
        "getUserAccountById XMLHttpRequestFactoryBean useEffectOnce iOSDeviceManager getUserAccountById XMLHt"
        "tpRequestFactoryBean useEffectOnce iOSDeviceManager getUserA"
    ): 35,
    (
        "MAX_RETRY_COUNT DB_HOST SECRET_KEY_BASE ERR_CONN_RESET MAX_RETRY_COUNT DB_HOST SECRET_KEY_BASE ERR_C"
        "ONN_RESET MAX_RETRY_COUNT DB_HOST SECRET_KEY_BASE ERR_CONN_R"
    ): 54,
    (
        "https://ex69.org/a/cfcd208495?q=400035&utm_source=x#frag\nhttps://ex19.org/a/c4ca4238a0?q=843616&utm"
        "_source=x#frag\nhttps://ex71.org/a/c81e728d9d?q=122444&utm_sou"
    ): 86,
    (
        "| 73 | 38 | 75 | 76 | 19 | 49 |\n| 94 | 66 | 51 | 76 | 41 | 18 |\n| 61 | 6 | 82 | 70 | 83 | 56 |\n| "
        "53 | 41 | 46 | 84 | 45 | 61 |\n| 78 | 1 | 47 | 67 | 80 | 68 |\n| "
    ): 97,
    (
        "- 2026-06-12 13:56 ok\n- 2026-08-16 18:15 ok\n- 2026-06-14 13:17 ok\n- 2026-04-10 18:33 ok\n- 2026-0"
        "4-17 11:38 ok\n- 2026-02-10 17:35 ok\n- 2026-04-14 14:51 ok\n- 2026"
    ): 102,
}


@pytest.mark.parametrize("text", COUNTED, ids=range(len(COUNTED)))
def test_a_text_costs_no_more_than_is_said(text) -> None:
    assert COUNTED[text] <= cost(text)


def test_ordinary_english_is_overestimated_by_a_fifth_at_most() -> None:
    said = next(text for text in COUNTED if text.startswith("Your OpenClaw agent"))
    assert cost(said) <= 1.2 * COUNTED[said]


@given(st.lists(st.text(max_size=80), max_size=20))
def test_lines_together_cost_no_more_than_each_by_itself(rows) -> None:
    assert cost("".join(f"{row}\n" for row in rows)) <= sum(cost(f"{row}\n") for row in rows)


@pytest.mark.parametrize("name", ["cl100k", "o200k"])
@given(text=st.text(max_size=400))
def test_real_tokenizers_make_no_more_of_anything(name, text) -> None:
    tokenizers = pytest.importorskip("bpe_openai", reason="real tokenizers; get it: pip install bpe-openai")
    assert len(tokenizers.get_encoding(f"{name}_base").encode_ordinary(text)) <= 1.02 * cost(text, name) + 1


def test_a_tokenizer_that_is_known_needs_no_more_than_the_worst() -> None:
    chinese = next(text for text in COUNTED if text.startswith("\u90e8"))
    assert cost(chinese, "o200k") < cost(chinese, "cl100k") <= cost(chinese)


@pytest.mark.parametrize("letter", ["a", "\u7684", "\U0001f600", " ", "\n", "="])
def test_a_letter_a_hundred_thousand_times_is_counted_at_once(letter) -> None:
    assert 0 < cost(letter * 100_000) <= 100_000 * len(letter.encode())
