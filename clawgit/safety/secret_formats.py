"""Tokens that vendors mark by a prefix of their own."""

from __future__ import annotations

from typing import Literal

# Name, what cheaply tells that one may be there, the token whole, and the test it must pass.
# From the vendors' documentation, and gitleaks' and trufflehog's public rules for what they leave open.
FORMATS: tuple[tuple[str, str, str, Literal["token", "mixed"]], ...] = (
    ("adyen", "AQE", r"AQE[\w+/\-]{60,}={0,2}", "mixed"),
    ("airtable", r"pat\w{14}\.", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", "token"),
    ("alibaba", "LTAI", "LTAI[A-Za-z0-9]{16,22}", "mixed"),
    ("atlassian", "AT(?:ATT3|CTT3|BB)", r"(?:ATATT3|ATCTT3)[\w=\-]{60,}|ATBB[A-Za-z0-9]{28,}", "mixed"),
    ("aws-bedrock", "ABSK", "ABSK[A-Za-z0-9+/]{100,}={0,2}", "mixed"),
    ("brave", "BSA", r"BSA[A-Za-z0-9_\-]{27}", "mixed"),
    ("crates", "cio", "cio[A-Za-z0-9]{32}", "mixed"),
    ("docker-hub", "dckr_[po]at_", r"dckr_[po]at_[\w\-]{27,}", "token"),
    ("doppler", r"dp\.\w+\.", r"dp\.(?:pt|st|sa|ct|scim|audit)\.(?:[\w\-]+\.)?[A-Za-z0-9]{40,}", "token"),
    ("dropbox", r"sl\.", r"sl\.(?:u\.)?[\w\-]{120,}", "mixed"),
    ("elevenlabs", "sk_", "sk_[a-f0-9]{48}", "token"),
    ("figma", "fig[dour]{1,2}_", r"fig(?:d|ou|or|o|u)h?_[\w\-]{40,}", "token"),
    ("fireworks", "fw_", "fw_[A-Za-z0-9]{22,24}", "mixed"),
    ("flutterwave", "FLWSECK", "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?", "mixed"),
    ("fly", "fm[12]|fo1_", r"fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,3}|fo1_[\w\-]{43}", "mixed"),
    ("langsmith", "lsv2_", "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}", "token"),
    ("linear", "lin_(?:api|oauth)_", "lin_(?:api|oauth)_[A-Za-z0-9]{40,}", "token"),
    ("mailchimp", r"-us\d", r"[a-f0-9]{32}-us\d{1,2}", "token"),
    ("mailgun", "key-", "key-[a-f0-9]{32}", "token"),
    ("matrix", "syt_", r"syt_[A-Za-z0-9\-_=]{2,}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}", "mixed"),
    ("netlify", "nf[pcou]_", "nf[pcou]_[A-Za-z0-9]{36}", "token"),
    ("new-relic", "NRAK-|NRJS-|NRII-", r"NR(?:AK-[A-Z0-9]{27}|JS-[a-f0-9]{19}|II-[\w\-]{32})", "mixed"),
    ("nuget", "oy2", "oy2[a-z0-9]{43}", "mixed"),
    ("nvidia", "nvapi-", r"nvapi-[\w\-]{60,}", "token"),
    (
        "onepassword",
        "ops_eyJ|A3-",
        r"ops_eyJ[\w+/\-]{100,}={0,3}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){4,5}[A-Z0-9]{5}",
        "mixed",
    ),
    ("paypal", "access_token[$]", "access_token[$](?:production|sandbox)[$][a-z0-9]{16}[$][a-f0-9]{32}", "mixed"),
    ("pinecone", "pcsk_", r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}", "token"),
    (
        "plaid",
        "access-(?:production|development|sandbox)-",
        r"access-(?:production|development)-[a-f0-9]{8}(?:-[a-f0-9]{4,12}){4}",
        "token",
    ),
    ("razorpay", "rzp_live_", "rzp_live_[A-Za-z0-9]{14,}", "mixed"),
    ("resend", "re_", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", "mixed"),
    ("sentry", "sntry[su]_", r"sntryu_[a-f0-9]{64}|sntrys_[A-Za-z0-9+/=_\-]{80,}", "mixed"),
    ("sonar", "sq[pua]_", "sq[pua]_[a-f0-9]{40}", "token"),
    ("square", "sq0|EAAA", r"sq0(?:csp|atp)-[\w\-]{22,}|EAAA[\w\-]{56,}", "mixed"),
    ("tavily", "tvly-", "tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}", "token"),
    ("tencent", "AKID", "AKID[A-Za-z0-9]{32}", "mixed"),
    ("vault", r"hv[sbr]\.|\bs\.", r"hv[sbr]\.[\w\-]{24,}|s\.[A-Za-z0-9]{24}", "mixed"),
    ("voyage", "pa-", r"pa-[\w\-]{43}", "mixed"),
    ("xai", "xai-", "xai-[A-Za-z0-9]{70,}", "token"),
)
