//! A secret of every kind, drawn anew from a seed so that none stands in this repository, and for each kind
//! something that looks like it and is none. Shared with the tests of the program.

/// The rule, a text with the secret between `‹` and `›`, and a text that the rule leaves alone. `{a36}` stands for
/// 36 characters of the class `a` (see [`class`]).
pub const SAMPLES: &[(&str, &str, &str)] = &[
    (
        "pkcs8-private-key",
        "k = '''-----BEGIN PRIVATE KEY-----\n‹{b64}\n{b64}\n{b40}==›\n-----END PRIVATE KEY-----\n'''",
        "if '-----BEGIN PRIVATE KEY-----' in line:\n    stop_at = '-----END PRIVATE KEY-----'",
    ),
    (
        "rsa-private-key",
        "-----BEGIN RSA PRIVATE KEY-----\r\n‹{b64}\r\n{b64}\r\n{b64}\r\n{b20}=›\r\n-----END RSA PRIVATE KEY-----\r\n",
        "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
    ),
    (
        "ec-private-key",
        "  key: |\n    -----BEGIN EC PRIVATE KEY-----\n    ‹{b64}\n    {b64}\n    {b36}==›\n    -----END EC PRIVATE KEY-----",
        "-----BEGIN EC PRIVATE KEY-----\n<your key here>\n-----END EC PRIVATE KEY-----",
    ),
    (
        "dsa-private-key",
        "-----BEGIN DSA PRIVATE KEY-----\n‹{b64}\n{b64}\n{b64}›\n-----END DSA PRIVATE KEY-----",
        "-----BEGIN DSA PRIVATE KEY-----\nMIIB\n-----END DSA PRIVATE KEY-----",
    ),
    (
        "openssh-private-key",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n‹b3BlbnNzaC1rZXktdjE{b51}\n{b70}\n{b70}\n{b20}=›\n-----END OPENSSH PRIVATE KEY-----",
        "expect(pem).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/)",
    ),
    (
        "pgp-private-key",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n‹{b64}\n{b64}\n{b30}==\n={b4}›\n-----END PGP PRIVATE KEY BLOCK-----",
        "a `-----BEGIN PGP PRIVATE KEY BLOCK-----` line, then base64 without any hyphens in it",
    ),
    (
        "encrypted-private-key",
        "{\"private_key\": \"-----BEGIN ENCRYPTED PRIVATE KEY-----\\n‹{b64}\\n{b64}\\n{b44}=›\\n-----END ENCRYPTED PRIVATE KEY-----\\n\"}",
        "{\"private_key\": \"-----BEGIN ENCRYPTED PRIVATE KEY-----\\nabc\\n-----END ENCRYPTED PRIVATE KEY-----\\n\"}",
    ),
    (
        "private-key",
        "-----BEGIN SM2 PRIVATE KEY-----\n‹{b64}\n{b64}›\n-----END SM2 PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEabcdefghijklmnopqrstuvwxyz0123\n-----END PUBLIC KEY-----",
    ),
    (
        "base64-private-key",
        "tls.key: ‹LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b80}=›",
        "tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURYVENDQWtXZ0F3SUJBZ0lKQUpDMUhpSUFa",
    ),
    ("age-secret-key", "# age\nAGE-SECRET-KEY-1‹{U58}›", "AGE-SECRET-KEY-1 begins every key"),
    ("putty-private-key", "Private-Lines: 3\n‹{b64}\n{b64}\n{b40}=›\nPrivate-MAC: {h40}\n", "Private-Lines: 0\n"),
    ("aws-access-key", "aws = '‹AKIA{U16}›'", "aws = 'AKIAIOSFODNN7EXAMPLE'"),
    (
        "aws-secret-key",
        "aws_secret_access_key = ‹{b40}›\n",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
    ),
    ("aws-session-token", "\"SessionToken\": \"‹{b300}==›\"", "SessionToken: String(describing: session.token)"),
    ("gcp-api-key", "const key = '‹AIza{w35}›';", "const key = 'AIza...';"),
    ("gcp-oauth-secret", "client_secret: ‹GOCSPX-{a28}›", "client_secret: GOCSPX-your-secret-goes-here-now"),
    ("gcp-oauth-token", "curl -H \"Authorization: ‹ya29.{w60}›\"", "starts with ya29. and some letters"),
    ("gcp-refresh-token", "refresh: '‹1//0{w60}›'", "1//0 is a comment"),
    (
        "azure-storage-key",
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=‹{b86}==›;EndpointSuffix=x",
        "AccountKey=<account key>;EndpointSuffix=x",
    ),
    (
        "azure-shared-access-key",
        "Endpoint=sb://a/;SharedAccessKeyName=b;SharedAccessKey=‹{b43}=›",
        "SharedAccessKey=${KEY}",
    ),
    ("azure-sas", "https://a.blob.core/c?sv=2022-11-02&sig=‹{a43}%3D›&se=2030", "https://a.b/c?sig=none&v=1"),
    ("azure-client-secret", "secret = '‹{a3}8Q~{a34}›'", "q = '8Q~'"),
    ("alibaba-access-key", "id: ‹LTAI{a20}›", "LTAIR is a word"),
    ("tencent-secret-id", "id: ‹AKID{a32}›", "AKIDs are many"),
    ("digitalocean-token", "do: ‹dop_v1_{h64}›", "dop_v1_ and 64 digits"),
    ("cloudflare-origin-key", "‹v1.0-{h24}-{h146}›", "v1.0-beta-2"),
    (
        "cloudflare-token",
        "CLOUDFLARE_API_TOKEN=‹{a40}›\n",
        "CLOUDFLARE_API_TOKEN=process.env.CLOUDFLARE_API_TOKEN_VALUE_X1\n",
    ),
    ("heroku-key", "‹HRKU-{w60}›", "HRKU-short"),
    ("heroku-api-key", "HEROKU_API_KEY={q}‹{h8}-{h4}-{h4}-{h4}-{h12}›{q}", "heroku_app: my-app-on-heroku"),
    ("fly-token", "FLY='‹FlyV1 fm2_{b80}›'", "FlyV1 is a scheme"),
    ("netlify-token", "t: ‹nfp_{a36}›", "nfp_handler = 1"),
    ("github-personal-token", "// push with ‹ghp_{a36}›", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    ("github-fine-grained-token", "GH=‹github_pat_{a22}_{a59}›", "github_pat_ is a prefix"),
    ("github-oauth-token", "'‹gho_{a36}›'", "gho_stname = 'casper'"),
    ("github-user-token", "'‹ghu_{a36}›'", "ghu_b = 1"),
    (
        "github-app-token",
        "https://x-access-token:‹ghs_{a36}›@github.com/a/b",
        "weighs_a_lot_of_kilograms_and_more_than_that = 1",
    ),
    ("github-refresh-token", "'‹ghr_{a76}›'", "ghr_0000000000000000000000000000000000000000"),
    ("gitlab-token", "PRIVATE-TOKEN: ‹glpat-{w20}›", "glpat-your-token-goes-here-ok"),
    ("gitlab-runner-token", "‹GR1348941{w20}›", "GR1348941"),
    ("atlassian-token", "jira = \"‹ATATT3{w186}›\"", "ATATT3x"),
    ("bitbucket-password", "pw = \"‹ATBB{a32}›\"", "ATBBFOO"),
    ("circleci-token", "‹CCIPAT_{a22}_{h40}›", "CCIPAT_"),
    ("buildkite-token", "‹bkua_{h40}›", "bkua_x"),
    ("sonar-token", "sonar.login=‹squ_{h40}›", "squ_are = 1"),
    ("artifactory-key", "‹AKCp{a69}›", "AKCpX"),
    ("npm-token", "//r/:_authToken=‹npm_{a36}›", "npm_config_registry_with_a_very_long_name"),
    ("npm-auth-token", "//r/:_authToken=‹{h8}-{h4}-{h4}-{h4}-{h12}›", "//r/:_authToken=${NPM_TOKEN}"),
    ("pypi-token", "password = ‹pypi-AgEIcHlwaS5vcmc{w150}›", "pypi-AgEIcHlwaS5vcmc..."),
    ("rubygems-key", ":rubygems_api_key: ‹rubygems_{h48}›", "rubygems_version = 3"),
    ("crates-io-token", "token = \"‹cio{a32}›\"", "ciocolatainternationalcompanynames1 = 1"),
    ("nuget-key", "‹oy2{l43}›", "joy2world"),
    ("docker-token", "docker login -p ‹dckr_pat_{w27}›", "dckr_pat_"),
    ("docker-config-auth", "\"auth\": \"‹{b40}==›\"", "\"auth\": \"required-for-all-of-these\""),
    ("stripe-key", "stripe.api_key = '‹sk_live_{a24}›'", "sk_test_xxxxxxxxxxxxxxxxxxxxxxxx"),
    ("webhook-secret", "'‹whsec_{a32}›'", "whsec_..."),
    ("square-token", "'‹sq0atp-{w22}›'", "sq0atp-"),
    ("square-access-token", "'‹EAAA{w60}›'", "EAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
    ("shopify-token", "'‹shpat_{h32}›'", "shpat_tern = 1"),
    ("braintree-token", "'‹access_token$production${l16}${h32}›'", "access_token$production$"),
    ("slack-token", "'‹xoxb-{d12}-{d12}-{a24}›'", "xoxb-your-token-is-not-here-today"),
    (
        "slack-webhook",
        "https://hooks.slack.com/services/‹T{A8}/B{A8}/{a24}›",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    ),
    (
        "discord-webhook",
        "https://discord.com/api/webhooks/{d18}/‹{w68}›",
        "https://discord.com/api/webhooks/{id}/{token}",
    ),
    ("discord-token", "DISCORD_TOKEN=‹M{a23}.{w6}.{w38}›", "discord.py.client.login(token)"),
    ("telegram-bot-token", "bot = \"{d9}:‹AA{w33}›\"", "ratio = '16:AAA'"),
    ("twilio-key", "sid: '‹SK{h32}›'", "TASK0123 and SKILLS"),
    ("twilio-auth-token", "TWILIO_AUTH_TOKEN=‹{h32}›", "twilio_number = '+15005550006'"),
    ("sendgrid-key", "'‹SG.{w22}.{w43}›'", "SG.is.short"),
    ("mailgun-key", "'‹key-{h32}›'", "key-value and key-00000000000000000000000000000000"),
    ("mailgun-private-key", "MAILGUN_KEY=‹{h32}-{h8}-{h8}›", "mailgun_domain = 'mg.example.com'"),
    ("mailchimp-key", "'‹{h32}-us12›'", "someone-uses-this"),
    ("facebook-token", "'‹EAAC{a120}›'", "EAACH one"),
    ("anthropic-key", "ANTHROPIC_API_KEY=‹sk-ant-api03-{w93}AA›", "sk-ant-..."),
    ("openrouter-key", "'‹sk-or-v1-{h64}›'", "task-or-thing"),
    (
        "openai-key",
        "OPENAI_API_KEY=‹sk-proj-{w60}T3BlbkFJ{w60}›",
        "class=\"sk-toggleable__content sk-estimator-doc-link-fitted\"",
    ),
    ("huggingface-token", "login('‹hf_{m34}›')", "hf_hub_download_of_a_file_with_a_long_name"),
    ("replicate-token", "'‹r8_{a37}›'", "r8_unorm_block_compressed_texture_format_x"),
    ("groq-key", "'‹gsk_{a52}›'", "gsk_renderer"),
    ("perplexity-key", "'‹pplx-{a48}›'", "pplx-api"),
    ("xai-key", "'‹xai-{a80}›'", "xai-org"),
    ("datadog-key", "DD_API_KEY: ‹{h32}›", "datadog_site: datadoghq.eu"),
    ("newrelic-key", "'‹NRAK-{A27}›'", "NRAK-"),
    ("newrelic-license", "license_key: ‹{h36}NRAL›", "MINERAL"),
    ("grafana-token", "'‹glsa_{a32}_{h8}›'", "glsa_x"),
    ("sentry-token", "'‹sntryu_{h64}›'", "sntryu_"),
    ("vault-token", "'‹hvs.{w90}›'", "hvs.configuration_of_the_server_value"),
    ("vault-legacy-token", "VAULT_TOKEN=‹s.{a24}›", "VAULT_TOKEN=s.token"),
    ("terraform-token", "token = \"‹{a14}.atlasv1.{w67}›\"", "x.atlasv1.y"),
    ("pulumi-token", "'‹pul-{h40}›'", "pul-l request"),
    ("doppler-token", "'‹dp.pt.{a43}›'", "dp.pt.x"),
    ("databricks-token", "'‹dapi{h32}›'", "dapi_client"),
    ("planetscale-token", "'‹pscale_tkn_{w43}›'", "pscale_x"),
    ("supabase-token", "'‹sbp_{h40}›'", "sbp_offset"),
    ("linear-key", "'‹lin_api_{a40}›'", "lin_api_url"),
    ("notion-token", "'‹secret_{a43}›'", "secret_manager_of_the_whole_application_name = 1"),
    ("figma-token", "'‹figd_{w43}›'", "figd_x"),
    ("hubspot-token", "'‹pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}›'", "pat-na1-token"),
    ("postman-key", "'‹PMAK-{h24}-{h34}›'", "PMAK-"),
    ("dropbox-token", "'‹sl.{w135}›'", "sl.append(x)"),
    ("jwt", "Cookie: s=‹eyJ{w33}.eyJ{w60}.{w43}›", "eyJ is how they begin; 'eyJhbGciOiJIUzI1NiJ9'"),
    (
        "url-password",
        "postgres://app:‹{a16}9z›@db.internal:5432/x",
        "http://user:password@host/ and redis://:${REDIS_PASSWORD}@h and ssh://git@h:22/x",
    ),
    ("basic-credentials", "Authorization: Basic ‹{basic}›", "Basic dXNlcm5hbWU6cGFzc3dvcmQ="),
    ("bearer-token", "Authorization: Bearer ‹{a40}7Q›", "Bearer authentication_is_required_here"),
    (
        "application-secret-key",
        "SECRET_KEY = '‹django-insecure-)k&*9{l40}7(›'",
        "SECRET_KEY = os.environ.get('SECRET_KEY', 'not-set-in-any-environment-at-all')",
    ),
    (
        "assigned-secret",
        "String dbPassword = \"‹{a28}4x›\";",
        "token = 'django.contrib.auth.tokens.default_token_generator'",
    ),
    ("configured-secret", "APP_SECRET=‹{a32}19Zq8›\n", "secret = generateSecretKeyV2FromConfiguration10\n"),
];

/// Draws what a template leaves open: the text, and the secret in it.
pub fn drawn(template: &str, draw: &mut Draw) -> (String, String) {
    let (mut text, mut secret) = (String::new(), 0..0);
    let mut rest = template;
    while let Some(mark) = rest.find(['‹', '›', '{']) {
        text += &rest[..mark];
        let at = &rest[mark..];
        let first = at.chars().next().expect("it was found");
        let slot = at.strip_prefix('{').and_then(|at| at.split_once('}'));
        let slot = slot.and_then(|(slot, _)| Some((draw.slot(slot)?, slot.len() + 2)));
        match (first, slot) {
            ('‹', _) => secret.start = text.len(),
            ('›', _) => secret.end = text.len(),
            (_, Some((drawn, end))) => {
                text += &drawn;
                rest = &at[end..];
                continue;
            }
            _ => text.push('{'),
        }
        rest = &at[first.len_utf8()..];
    }
    text += rest;
    let secret = text[secret].to_string();
    (text, secret)
}

/// The same characters for the same seed.
pub struct Draw(pub u64);

impl Draw {
    fn slot(&mut self, slot: &str) -> Option<String> {
        if slot == "q" {
            return Some("\"".to_string());
        }
        if slot == "basic" {
            return Some(base64(format!("deploy:{}7z", self.slot("a16")?).as_bytes()));
        }
        let class = class(slot.chars().next()?)?;
        let count: usize = slot[1..].parse().ok()?;
        Some((0..count).map(|_| char::from(class[self.next() as usize % class.len()])).collect())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

fn base64(bytes: &[u8]) -> String {
    let digits = class('b').unwrap_or_default();
    let group = |group: &[u8]| {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | usize::from(*group.get(at).unwrap_or(&0)));
        (0..4).map(move |at| (at <= group.len()).then(|| bits >> (18 - 6 * at) & 63)).collect::<Vec<_>>()
    };
    bytes.chunks(3).flat_map(group).map(|digit| digit.map_or('=', |digit| char::from(digits[digit]))).collect()
}

fn class(letter: char) -> Option<&'static [u8]> {
    match letter {
        'a' => Some(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
        'b' => Some(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
        'w' => Some(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"),
        'm' => Some(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
        'A' => Some(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
        'U' => Some(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
        'l' => Some(b"abcdefghijklmnopqrstuvwxyz0123456789"),
        'h' => Some(b"0123456789abcdef"),
        'd' => Some(b"0123456789"),
        _ => None,
    }
}
