//! The rules, in order: where two find the same text, the first gives it its name. What is common to only one
//! provider comes before what is common to many, and guesses by the name of a variable come last.

use super::around::{a_bot_id_ends, a_value_ends, a_word_ends, any_context};
use super::strength::{
    is_application_key, is_basic_credentials, is_configured, is_key_id, is_percent_encoded, is_random_token, is_strong,
    is_strong_password, is_token, is_url_password, looks_random, looks_random_or_number,
};

/// What one kind of secret looks like.
pub struct Rule {
    /// Stands in problem records and placeholders.
    pub id: &'static str,
    /// One of these is in every text that has such a secret. They are looked for in one pass, and the pattern is
    /// tried only where one occurs.
    pub keywords: &'static [&'static str],
    /// How many bytes before the keyword the pattern begins.
    pub prefix_bytes: usize,
    /// From there on; its group is the secret, or else all of it is. ASCII only: a placeholder of other letters
    /// could not have as many bytes and as many UTF-16 units.
    pub pattern: &'static str,
    /// What must be true of the text before it.
    pub after: fn(&[u8]) -> bool,
    /// What must be true of the text behind the secret. Other than an end in the pattern it keeps a text that is all
    /// names and values from being read again for each of them.
    pub until: fn(&[u8]) -> bool,
    /// What else must be true of the secret.
    pub is_valid: fn(&str) -> bool,
}

impl Rule {
    /// A token that is known by its first letters.
    const fn new(id: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Self {
        Rule { id, keywords, prefix_bytes: 0, pattern, after: any_context, until: any_context, is_valid: is_token }
    }

    const fn after(self, after: fn(&[u8]) -> bool) -> Self {
        Rule { after, ..self }
    }

    const fn until(self, until: fn(&[u8]) -> bool) -> Self {
        Rule { until, ..self }
    }

    const fn valid_if(self, is_valid: fn(&str) -> bool) -> Self {
        Rule { is_valid, ..self }
    }

    const fn prefix_bytes(self, prefix_bytes: usize) -> Self {
        Rule { prefix_bytes, ..self }
    }
}

pub const RULES: &[Rule] = &[
    // Keys between two lines are no patterns: see `private_key`, which tells them apart.
    Rule::new("age-secret-key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1([A-Z0-9]{58})"),
    Rule::new(
        "bare-private-key",
        &["private", "PRIVATE", "Private"],
        concat!(
            r#"[\w.-]{1,60}\\?["'`\])]{0,2}[ \t]{0,40}[=:,(][ \t]{0,40}\\?["'`]?"#,
            "(MI[IG][A-Za-z0-9+/]{100,}={0,2}|MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43})",
        ),
    ),
    Rule::new("hex-private-key", &["private_key", "PRIVATE_KEY", "privateKey"], plain!("(?:0x)?[0-9a-fA-F]{64}")),
    Rule::new(
        "wireguard-key",
        &["PrivateKey", "PresharedKey", "PreSharedKey"],
        r#"\w{9,12}["']?[ \t]{0,40}[=:][ \t]{0,40}["']?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)"#,
    ),
    Rule::new("jwk-private-key", &["\"d\"", "\"d\\\""], r#""d\\?"\s{0,4}:\s{0,4}\\?"([A-Za-z0-9_-]{43,})\\?""#)
        .valid_if(looks_random),
    // Clouds.
    Rule::new("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], whole!(r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}"))
        .after(a_word_ends)
        .valid_if(is_key_id),
    Rule::new(
        "aws-secret-key",
        &[
            "aws_secret",
            "AWS_SECRET",
            "aws-secret",
            "awsSecret",
            "AwsSecret",
            "secret_access_key",
            "SECRET_ACCESS_KEY",
            "secretAccessKey",
            "SecretAccessKey",
            "secret_key",
            "SECRET_KEY",
            "secretKey",
            "SecretKey",
        ],
        plain!("[A-Za-z0-9+/]{40}"),
    )
    .valid_if(looks_random),
    Rule::new(
        "aws-secret-beside-id",
        &["AKIA", "ASIA"],
        r"A[KS]IA[A-Z2-7]{16}[^\w+/](?s-u:.{0,100}?[^A-Za-z0-9+/])??([A-Za-z0-9+/]{40})(?:[^A-Za-z0-9+/=]|\z)",
    )
    .after(a_word_ends)
    .valid_if(looks_random),
    Rule::new(
        "aws-session-token",
        &["session_token", "SESSION_TOKEN", "sessionToken", "SessionToken"],
        plain!("[A-Za-z0-9+/]{100,}={0,2}"),
    )
    .valid_if(looks_random),
    Rule::new("gcp-api-key", &["AIza"], r"AIza[A-Za-z0-9_-]{35}").after(a_word_ends),
    Rule::new("gcp-oauth-secret", &["GOCSPX-"], r"GOCSPX-[A-Za-z0-9_-]{24,}"),
    Rule::new("gcp-oauth-token", &["ya29."], r"ya29\.[A-Za-z0-9_-]{30,}"),
    Rule::new("gcp-refresh-token", &["1//0"], r"1//0[A-Za-z0-9_-]{40,}").after(a_word_ends),
    Rule::new(
        "azure-storage-key",
        &["AccountKey", "accountKey", "account_key", "ACCOUNT_KEY", "STORAGE_KEY", "storage_key"],
        plain!("[A-Za-z0-9+/]{86}=="),
    ),
    Rule::new(
        "azure-shared-access-key",
        &["SharedAccessKey", "sharedAccessKey", "SHARED_ACCESS_KEY"],
        plain!("[A-Za-z0-9+/]{43}="),
    ),
    Rule::new("azure-sas", &["sig="], r"sig=([A-Za-z0-9%+/]{40,80}(?:%3[dD]|=))"),
    Rule::new("azure-client-secret", &["7Q~", "8Q~", "9Q~"], r"[A-Za-z0-9_~.-]{3}[789]Q~[A-Za-z0-9_~.-]{31,34}")
        .prefix_bytes(3),
    Rule::new("alibaba-access-key", &["LTAI"], whole!(r"LTAI[A-Za-z0-9]{16,20}"))
        .after(a_word_ends)
        .valid_if(looks_random),
    Rule::new("tencent-secret-id", &["AKID"], whole!(r"AKID[A-Za-z0-9]{32}")).after(a_word_ends).valid_if(looks_random),
    Rule::new("digitalocean-token", &["doo_v1_", "dop_v1_", "dor_v1_"], r"do[opr]_v1_[a-f0-9]{64}"),
    Rule::new("cloudflare-origin-key", &["v1.0-"], r"v1\.0-[a-f0-9]{24}-[a-f0-9]{140,}"),
    Rule::new(
        "cloudflare-token",
        &["cloudflare", "CLOUDFLARE", "Cloudflare", "CF_API", "cf_api"],
        plain!("[A-Za-z0-9_-]{40}|[a-f0-9]{37}"),
    )
    .valid_if(looks_random_or_number),
    Rule::new("heroku-key", &["HRKU-"], r"HRKU-[A-Za-z0-9_-]{36,}"),
    Rule::new(
        "heroku-api-key",
        &["heroku", "HEROKU", "Heroku"],
        plain!("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
    ),
    Rule::new("fly-token", &["FlyV1 ", "fm2_"], r"(?:FlyV1 )?(?:fm[12][ar]?|fo1)_[A-Za-z0-9+/=_,-]{40,}"),
    Rule::new("netlify-token", &["nfp_"], r"nfp_[A-Za-z0-9]{36,}").after(a_word_ends),
    // Where code is kept and built.
    Rule::new("github-personal-token", &["ghp_"], r"ghp_[A-Za-z0-9]{36,}"),
    Rule::new("github-fine-grained-token", &["github_pat_"], r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{40,}"),
    Rule::new("github-oauth-token", &["gho_"], r"gho_[A-Za-z0-9]{36,}"),
    Rule::new("github-user-token", &["ghu_"], r"ghu_[A-Za-z0-9]{36,}"),
    Rule::new("github-app-token", &["ghs_"], r"ghs_[A-Za-z0-9]{36,}"),
    Rule::new("github-refresh-token", &["ghr_"], r"ghr_[A-Za-z0-9]{36,}"),
    Rule::new(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glffct-", "glimt-", "glagent-",
            "gloas-", "glrtr-", "glwt-",
        ],
        r"gl[a-z]{2,5}-[A-Za-z0-9_.-]{20,}",
    )
    .after(a_word_ends),
    Rule::new("gitlab-runner-token", &["GR1348941"], r"GR1348941[A-Za-z0-9_-]{20,}"),
    Rule::new("atlassian-token", &["ATATT3", "ATCTT3"], r"AT[AC]TT3[A-Za-z0-9_=-]{60,}"),
    Rule::new("bitbucket-password", &["ATBB"], whole!(r"ATBB[A-Za-z0-9]{32}")).after(a_word_ends).valid_if(looks_random),
    Rule::new("circleci-token", &["CCIPAT_"], r"CCIPAT_[A-Za-z0-9_]{40,}"),
    Rule::new("buildkite-token", &["bkua_"], r"bkua_[a-z0-9]{40}"),
    Rule::new("sonar-token", &["squ_", "sqp_", "sqa_"], r"sq[apu]_[a-f0-9]{40}").after(a_word_ends),
    Rule::new("azure-devops-token", &["AZDO"], whole!(r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}")).prefix_bytes(76),
    Rule::new("sourcegraph-token", &["sgp_"], r"sgp_(?:[0-9a-f]{16}|local)_[0-9a-f]{40}").after(a_word_ends),
    Rule::new("octopus-key", &["API-"], whole!(r"API-[A-Z0-9]{26}")).after(a_word_ends).valid_if(is_strong),
    Rule::new("artifactory-reference-token", &["cmVmdGtuOjAxOj"], r"cmVmdGtuOjAxOj[A-Za-z0-9]{50}"),
    Rule::new("artifactory-key", &["AKCp"], r"AKCp[A-Za-z0-9]{69}").after(a_word_ends),
    // Where packages are published.
    Rule::new("npm-token", &["npm_"], whole!(r"npm_[A-Za-z0-9]{36}")).after(a_word_ends).valid_if(looks_random),
    Rule::new(
        "npm-auth-token",
        &["_authToken", "_auth=", "_auth ="],
        r#"_auth(?:Token)?"?\s?[=:]\s?"?([A-Za-z0-9_.+/-]{20,}={0,2})"#,
    )
    .valid_if(is_strong),
    Rule::new("pypi-token", &["pypi-Ag", "pypi-AgE"], r"pypi-Ag[A-Za-z0-9_-]{50,}"),
    Rule::new("rubygems-key", &["rubygems_"], r"rubygems_[a-f0-9]{48}"),
    Rule::new("crates-io-token", &["cio"], whole!(r"cio[A-Za-z0-9]{32}")).after(a_word_ends).valid_if(looks_random),
    Rule::new("nuget-key", &["oy2"], whole!(r"oy2[a-z0-9]{43}")).after(a_word_ends),
    Rule::new("docker-token", &["dckr_pat_", "dckr_oat_"], r"dckr_[po]at_[A-Za-z0-9_-]{27,}"),
    Rule::new(
        "docker-config-auth",
        &["\"auth\"", "\"auth\\\""],
        r#""auth\\?"\s{0,4}:\s{0,4}\\?"([A-Za-z0-9+/]{20,}={0,2})\\?""#,
    )
    .valid_if(is_strong),
    Rule::new("clojars-token", &["CLOJARS_"], r"CLOJARS_[a-z0-9]{60}"),
    // Payments and shops.
    Rule::new(
        "stripe-key",
        &["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_"],
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}",
    )
    .after(a_word_ends),
    Rule::new("webhook-secret", &["whsec_"], r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    Rule::new("square-token", &["sq0atp-", "sq0csp-", "sq0idp-"], r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}"),
    Rule::new("square-access-token", &["EAAA"], whole!(r"EAAA[A-Za-z0-9_-]{60}"))
        .after(a_word_ends)
        .valid_if(looks_random),
    Rule::new("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    Rule::new(
        "braintree-token",
        &["access_token$production$"],
        r"access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    Rule::new("shippo-token", &["shippo_live_", "shippo_test_"], r"shippo_(?:live|test)_[0-9a-f]{40}"),
    Rule::new("easypost-key", &["EZAK", "EZTK"], whole!(r"EZ[AT]K[A-Za-z0-9]{54}")).after(a_word_ends),
    Rule::new("duffel-token", &["duffel_live_", "duffel_test_"], r"duffel_(?:live|test)_[A-Za-z0-9_-]{43}"),
    // Messages and mail.
    Rule::new(
        "slack-token",
        &["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
        r"(?:xox[abeoprs]|xapp)[.-](?:[A-Za-z0-9]{1,20}-){1,5}[A-Za-z0-9]{10,}",
    )
    .after(a_word_ends)
    .valid_if(is_strong),
    Rule::new("slack-session-token", &["xoxc-"], r"xoxc-\d{1,20}-\d{1,20}-\d{1,20}-[0-9a-f]{64}").after(a_word_ends),
    Rule::new("slack-cookie", &["xoxd-"], r"xoxd-[A-Za-z0-9%+/=]{100,}").after(a_word_ends),
    Rule::new(
        "slack-webhook",
        &["hooks.slack.com/"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9]{8,}/[A-Za-z0-9]{8,}/[A-Za-z0-9/]{16,})",
    ),
    Rule::new("discord-webhook", &["/api/webhooks/"], r"/api/webhooks/\d{15,22}/([A-Za-z0-9_-]{50,})"),
    Rule::new(
        "discord-token",
        &["discord", "DISCORD", "Discord", "bot_token", "BOT_TOKEN", "botToken", "Bot ", ".login("],
        r#"(?:Bot |[\w.-]{1,60}["'`\])]{0,2}\s{0,4}[=:,(]\s{0,4}["'`]?)([MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45})"#,
    ),
    Rule::new("telegram-bot-token", &[":AA"], r":(AA[A-Za-z0-9_-]{32,33})(?:[^\w-]|\z)").after(a_bot_id_ends),
    Rule::new("twilio-key", &["SK"], whole!(r"SK[0-9a-f]{32}")).after(a_word_ends),
    Rule::new("twilio-auth-token", &["twilio", "TWILIO", "Twilio"], plain!("[0-9a-f]{32}")),
    Rule::new("sendgrid-key", &["SG."], r"SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}").after(a_word_ends),
    Rule::new("mailgun-key", &["key-"], whole!(r"key-[0-9a-f]{32}")).after(a_word_ends),
    Rule::new(
        "mailgun-private-key",
        &["mailgun", "MAILGUN", "Mailgun"],
        plain!("[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    ),
    Rule::new("mailchimp-key", &["-us"], whole!(r"[0-9a-f]{32}-us\d{1,2}")).prefix_bytes(32).after(a_word_ends),
    Rule::new("facebook-token", &["EAAC", "EAAG", "EAAB"], r"EAA[BCG][A-Za-z0-9]{90,}").after(a_word_ends),
    Rule::new("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    Rule::new("resend-key", &["re_"], whole!(r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"))
        .after(a_word_ends)
        .valid_if(looks_random),
    Rule::new("firebase-server-key", &[":APA91b"], r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{134}").prefix_bytes(11),
    Rule::new("teams-webhook", &["/IncomingWebhook/"], r"/IncomingWebhook/([0-9a-f]{32})/"),
    Rule::new("twitter-bearer-token", &["AAAAAAAAAAAAAAAAAAAA"], r"A{20,22}[A-Za-z0-9%]{80,}")
        .after(a_word_ends)
        .valid_if(is_percent_encoded),
    // Models.
    Rule::new("anthropic-key", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_-]{32,}"),
    Rule::new("openrouter-key", &["sk-or-"], r"sk-or-(?:v1-)?[a-f0-9]{64}"),
    Rule::new(
        "openai-key",
        &["sk-"],
        concat!(
            r"(sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
            r"|[A-Za-z0-9]{48}|[a-f0-9]{32}))(?:[^\w-]|\z)"
        ),
    )
    .after(a_word_ends)
    .valid_if(is_strong),
    Rule::new("huggingface-token", &["hf_", "api_org_"], r"(?:hf|api_org)_[A-Za-z0-9]{34,}")
        .after(a_word_ends)
        .valid_if(looks_random),
    Rule::new("replicate-token", &["r8_"], r"r8_[A-Za-z0-9]{37,}").after(a_word_ends).valid_if(looks_random),
    Rule::new("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{48,}").after(a_word_ends).valid_if(looks_random),
    Rule::new("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{40,}").after(a_word_ends).valid_if(looks_random),
    Rule::new("xai-key", &["xai-"], r"xai-[A-Za-z0-9]{70,}").after(a_word_ends).valid_if(looks_random),
    Rule::new("pinecone-key", &["pcsk_"], r"pcsk_[A-Za-z0-9]{1,12}_[A-Za-z0-9]{50,}").after(a_word_ends),
    Rule::new("langsmith-key", &["lsv2_pt_", "lsv2_sk_"], r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    Rule::new("langfuse-key", &["sk-lf-"], r"sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    // Watching and running.
    Rule::new(
        "datadog-key",
        &[
            "datadog",
            "DATADOG",
            "Datadog",
            "DataDog",
            "DD_API_KEY",
            "DD_APP_KEY",
            "dd_api_key",
            "dd_app_key",
            "ddApiKey",
        ],
        plain!("[0-9a-f]{40}|[0-9a-f]{32}"),
    ),
    Rule::new(
        "newrelic-key",
        &["NRAK-", "NRII-", "NRIQ-", "NRRA-", "NRSP-"],
        r"NR(?:AK|II|IQ|RA|SP)-[A-Za-z0-9_-]{27,}",
    )
    .after(a_word_ends),
    Rule::new("newrelic-license", &["NRAL"], r"(?:eu01xx[0-9a-f]{30}|[0-9a-fA-Fx]{36})NRAL").prefix_bytes(36),
    Rule::new(
        "grafana-token",
        &["glsa_", "glc_"],
        r"gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_[A-Za-z0-9+/]{40,}={0,2})",
    )
    .after(a_word_ends),
    Rule::new("grafana-legacy-key", &["eyJrIjoi"], r"eyJrIjoi[A-Za-z0-9]{70,}={0,2}").after(a_word_ends),
    Rule::new("dynatrace-token", &["dt0c01."], r"dt0c01\.[A-Z2-7]{24}\.[A-Z2-7]{64}"),
    Rule::new("infracost-key", &["ico-"], whole!(r"ico-[A-Za-z0-9]{32}")).after(a_word_ends).valid_if(looks_random),
    Rule::new("prefect-key", &["pnu_"], whole!(r"pnu_[a-z0-9]{36}")).after(a_word_ends).valid_if(is_strong),
    Rule::new("tailscale-key", &["tskey-"], r"tskey-(?:auth|api|client)-[A-Za-z0-9]+-[A-Za-z0-9]{20,}"),
    Rule::new("openshift-token", &["sha256~"], whole!(r"sha256~[A-Za-z0-9_-]{43}")),
    Rule::new("okta-token", &["SSWS "], r"SSWS (00[A-Za-z0-9_-]{40})"),
    Rule::new("onepassword-token", &["ops_eyJ"], r"ops_eyJ[A-Za-z0-9+/]{250,}={0,2}"),
    Rule::new("cloudinary-url", &["cloudinary://"], r"cloudinary://\d{15}:([A-Za-z0-9_-]{27})@"),
    Rule::new("sentry-token", &["sntrys_", "sntryu_"], r"sntry[su]_[A-Za-z0-9+/=_]{40,}"),
    Rule::new("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[A-Za-z0-9_-]{24,}")
        .after(a_word_ends)
        .valid_if(looks_random),
    Rule::new(
        "vault-legacy-token",
        &["VAULT_TOKEN", "vault_token", "vaultToken", "X-Vault-Token"],
        plain!(r"s\.[A-Za-z0-9]{24}"),
    ),
    Rule::new("terraform-token", &[".atlasv1."], r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}").prefix_bytes(14),
    Rule::new("pulumi-token", &["pul-"], r"pul-[a-f0-9]{40}").after(a_word_ends),
    Rule::new("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9_.-]{40,}")
        .after(a_word_ends),
    Rule::new("databricks-token", &["dapi"], r"dapi[0-9a-f]{32}(?:-\d)?").after(a_word_ends),
    Rule::new("planetscale-token", &["pscale_"], r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{32,}"),
    Rule::new("supabase-token", &["sbp_"], r"sbp_[a-f0-9]{40}").after(a_word_ends),
    Rule::new("linear-key", &["lin_api_", "lin_oauth_"], r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    Rule::new("notion-token", &["ntn_", "secret_"], whole!(r"(?:ntn|secret)_[A-Za-z0-9]{43,46}"))
        .after(a_word_ends)
        .valid_if(looks_random),
    Rule::new("figma-token", &["figd_"], r"figd_[A-Za-z0-9_-]{40,}").after(a_word_ends),
    Rule::new(
        "hubspot-token",
        &["pat-na", "pat-eu"],
        r"pat-(?:na|eu)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ),
    Rule::new("postman-key", &["PMAK-"], r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    Rule::new("dropbox-token", &["sl."], r"sl\.(?:u\.)?[A-Za-z0-9_-]{120,}").after(a_word_ends),
    Rule::new("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}").after(a_word_ends),
    Rule::new("contentful-token", &["CFPAT-"], r"CFPAT-[A-Za-z0-9_-]{43}"),
    Rule::new("typeform-token", &["tfp_"], r"tfp_[A-Za-z0-9_.-]{59}").after(a_word_ends).valid_if(looks_random),
    Rule::new("readme-key", &["rdme_"], r"rdme_[a-z0-9]{70}"),
    Rule::new("mapbox-secret-token", &["sk.eyJ1"], r"sk\.eyJ1[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{22}"),
    // Any provider.
    Rule::new("jwt", &["eyJ"], r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}").after(a_word_ends),
    Rule::new("url-password", &["://"], r#"://[^\s:/@"'`<>\\]{0,64}:([!-~&&[^\s:/@"'`<>\\]]{6,128})@[\w\[$]"#)
        .valid_if(is_url_password),
    Rule::new("bearer-token", &["Bearer ", "bearer "], r"[Bb]earer {1,2}([A-Za-z0-9._~+/-]{20,}={0,2})")
        .valid_if(is_random_token),
    Rule::new("basic-credentials", &["Basic ", "basic "], r"[Bb]asic {1,2}([A-Za-z0-9+/]{12,}={0,2})")
        .valid_if(is_basic_credentials),
    Rule::new(
        "application-secret-key",
        &["SECRET_KEY", "SECRET_KEY_BASE", "secret_key_base"],
        quoted!(r#"[!-~&&[^\s"'`\\]]{32,200}"#),
    )
    .valid_if(is_application_key),
    Rule::new(
        "authorization-token",
        &["Authorization", "authorization"],
        concat!(
            r#"[Aa]uthorization\\?["'`\]]{0,2}\s{0,4}[:=,]\s{0,4}\\?["'`]?"#,
            r#"(?:[Tt]oken|[Aa]pi-?[Kk]ey|[Kk]ey|OAuth)[ =]{1,2}\\?"?([A-Za-z0-9+/._=-]{20,})"#,
        ),
    )
    .valid_if(is_random_token),
    Rule::new("laravel-key", &["APP_KEY"], r#"APP_KEY["']?[ \t]{0,40}[=:][ \t]{0,40}["']?base64:([A-Za-z0-9+/]{43}=)"#),
    Rule::new(
        "uuid-token",
        UUID_NAMES,
        plain!("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
    ),
    Rule::new(
        "netrc-password",
        &["login "],
        r"login[ \t]+[!-~]{1,64}\s+(?:[#*/]{1,3}\s+)?password[ \t]+([!-~&&[^\\]]{8,128})",
    )
    .valid_if(is_url_password),
    Rule::new("pgpass-password", &[":5432:"], r#":5432:[\w*-]{1,63}:[\w*.-]{1,63}:([!-~&&[^\s:"'\\<>]]{8,128})"#)
        .valid_if(is_url_password),
    Rule::new(
        "curl-password",
        &["-u ", "--user "],
        r#"--?u(?:ser)? \\?["']?[\w.@-]{1,64}:([!-~&&[^\s:/@"'`\\<>]]{8,128})"#,
    )
    .after(a_word_ends)
    .valid_if(is_url_password),
    Rule::new(
        "defined-secret",
        &["#define ", "ENV ", "setenv ", "--password ", "--token ", "--secret ", "--api-key ", "configure set "],
        concat!(
            // A macro without quotes is another name.
            r#"(?:#define[ \t]{1,40}\w{0,40}(?i:password|passwd|secret|token|api_?key|access_key)\w{0,40}[ \t]{1,40}L?["']"#,
            r"|(?:ENV|setenv|-|configure set)[ \t-]{1,40}\w{0,40}",
            r"(?i:password|passwd|secret|token|api.?key|access_key)\w{0,40}[ \t]{1,40}",
            r#"\\?["']?)([\w+/=.~!@#%^&*-]{16,})"#,
        ),
    )
    .until(a_value_ends)
    .valid_if(is_random_token),
    Rule::new("assigned-secret", SECRET_NAMES, quoted!(r"[\w+/=.~!@#$%^&*:?-]{20,}")).valid_if(is_random_token),
    Rule::new("configured-secret", SECRET_NAMES, bare!("[A-Za-z0-9+/_=-]{20,}"))
        .until(a_value_ends)
        .valid_if(is_configured),
    Rule::new("assigned-password", PASSWORD_NAMES, quoted!(r"[\w+/=.~!@#$%^&*?-]{12,19}")).valid_if(is_strong_password),
    Rule::new("configured-password", PASSWORD_NAMES, bare!(r"[\w+/=.~!@#%^*?-]{12,}"))
        .until(a_value_ends)
        .valid_if(is_strong_password),
];

/// Names whose values are secrets, if they look like it: all that ends with one of these, and more letters.
const SECRET_NAMES: &[&str] = &joined::<{ PASSWORD_NAMES.len() + KEY_NAMES.len() }>(PASSWORD_NAMES, KEY_NAMES);

const fn joined<const N: usize>(first: &[&'static str], second: &[&'static str]) -> [&'static str; N] {
    let mut all = [""; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { second[at - first.len()] };
        at += 1;
    }
    all
}

/// Names whose values are long.
const KEY_NAMES: &[&str] = &[
    "secret",
    "Secret",
    "SECRET",
    "token",
    "Token",
    "TOKEN",
    "api_key",
    "API_KEY",
    "api-key",
    "Api-Key",
    "API-Key",
    "API-KEY",
    "apikey",
    "apiKey",
    "ApiKey",
    "APIKEY",
    "access_key",
    "ACCESS_KEY",
    "accessKey",
    "AccessKey",
    "auth_key",
    "AUTH_KEY",
    "authKey",
    "private_key",
    "PRIVATE_KEY",
    "privateKey",
    "encryption_key",
    "ENCRYPTION_KEY",
    "encryptionKey",
    "signing_key",
    "SIGNING_KEY",
    "signingKey",
    "credential",
    "CREDENTIAL",
];

/// Names whose values are short, and no numbers of records.
const PASSWORD_NAMES: &[&str] = &[
    "password",
    "Password",
    "PASSWORD",
    "passwd",
    "PASSWD",
    "passphrase",
    "PASSPHRASE",
    "smtp_pass",
    "db_pass",
    "mail_pass",
    "_PASS",
    "smtpPass",
    "dbPass",
    "pass:",
    "pwd",
    "Pwd",
    "PWD",
];

/// Names that say of a number of this form, which records have as well, that it lets someone in.
const UUID_NAMES: &[&str] = &[
    "api_token",
    "API_TOKEN",
    "apiToken",
    "api_key",
    "API_KEY",
    "apiKey",
    "api_secret",
    "API_SECRET",
    "apiSecret",
    "auth_token",
    "AUTH_TOKEN",
    "authToken",
    "access_token",
    "ACCESS_TOKEN",
    "accessToken",
    "client_secret",
    "CLIENT_SECRET",
    "clientSecret",
    "SNYK_TOKEN",
];
