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
    (
        "base64-private-key",
        "  tls.key: |\n    ‹LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk{b26}\n    {b64}\n    {b64}\n    {b12}==›\n  more: 1",
        "# LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk is how they begin",
    ),
    (
        "base64-private-key",
        "{b76}\n‹{b2}0tLS0tQkVHSU4gUFJJVkFURSBLRVktLS0tLQ{b38}\n{b76}\n{b76}\n{b30}=›\n",
        "certificate: 0tLS0tQkVHSU4gQ0VSVElGSUNBVEUtLS0tLQ",
    ),
    (
        "base64-private-key",
        "k='‹{b3}tLS0tLUJFR0lOIEVDIFBSSVZBVEUgS0VZLS0tLS0{b400}›'",
        "tLS0tLUJFR0lOIENFUlRJRklDQVRFLS0tLS0{b90}",
    ),
    (
        "ssh2-private-key",
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n‹{b70}\n{b70}\n{b20}=›\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
        "---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1yc2EAAAADAQABAAABgQDabcdefgh0123456789\n---- END SSH2 PUBLIC KEY ----",
    ),
    (
        "rsa-private-key",
        "key=-----BEGIN+RSA+PRIVATE+KEY-----%‹0A{a64}%0A{a64}%0A{a30}%3D%0A›-----END+RSA+PRIVATE+KEY-----",
        "key=-----BEGIN+PUBLIC+KEY-----%0AMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE%0A-----END+PUBLIC+KEY-----",
    ),
    ("bare-private-key", "rsa.private.key=‹MIIE{b1600}==›\n", "privateKeyFormat: MII"),
    ("bare-private-key", "PRIVATE_KEY=‹MC4CAQAwBQYDK2VwBCIEI{b43}›\n", "private key = MC4CAQAwBQYDK2VwBCIEI"),
    (
        "hex-private-key",
        "PRIVATE_KEY=‹0x{h64}›\n",
        "private_key: 0x0000000000000000000000000000000000000000000000000000000000000001",
    ),
    ("wireguard-key", "[Interface]\nPrivateKey = ‹{b42}8=›\n", "PrivateKey = await crypto.subtle.generateKey()"),
    (
        "jwk-private-key",
        "{{q}kty{q}:{q}EC{q},{q}crv{q}:{q}P-256{q},{q}d{q}:{q}‹{w43}›{q}}",
        "{{q}d{q}:{q}M0 0h24v24H0z{q}} {\"d\": \"a_path_that_is_longer_than_forty_three_characters\"}",
    ),
    (
        "aws-secret-beside-id",
        "new Credentials('AKIAIOSFODNN7EXAMPLE', '‹{b40}›')",
        "AKIAIOSFODNN7EXAMPLE, wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ),
    ("gitlab-token", "'‹glrtr-{w20}›' ", "glwt-your-token-goes-here-ok"),
    ("azure-devops-token", "az devops login --pat ‹{a76}AZDO{a4}›", "AZDO is short"),
    ("sourcegraph-token", "'‹sgp_{h16}_{h40}›'", "sgp_x"),
    ("octopus-key", "'‹API-{A26}›'", "API-ABCDEFGHIJKLMNOPQRSTUVWXYZ and API-KEY"),
    ("artifactory-reference-token", "'‹cmVmdGtuOjAxOj{a50}›'", "cmVmdGtuOjAxOj"),
    ("clojars-token", "'‹CLOJARS_{l60}›'", "CLOJARS_USERNAME"),
    ("shippo-token", "'‹shippo_live_{h40}›'", "shippo_live_x"),
    ("easypost-key", "'‹EZAK{a54}›'", "EZAKx"),
    ("duffel-token", "'‹duffel_test_{w43}›'", "duffel_test_x"),
    ("slack-session-token", "'‹xoxc-{d12}-{d12}-{d13}-{h64}›'", "xoxc-1-2"),
    ("slack-cookie", "d=‹xoxd-{a40}%2B{a60}›;", "xoxd-..."),
    ("brevo-key", "'‹xkeysib-{h64}-{a16}›'", "xkeysib-"),
    ("resend-key", "'‹re_{a8}_{a24}›'", "re_compiled_expressionsofallkinds123"),
    ("firebase-server-key", "key=‹AAAA{w7}:APA91b{w134}›", "AAAA:APA91b"),
    (
        "teams-webhook",
        "https://a.webhook.office.com/webhookb2/x@y/IncomingWebhook/‹{h32}›/z",
        "https://a.webhook.office.com/webhookb2/x@y/IncomingWebhook/ID/z",
    ),
    (
        "twitter-bearer-token",
        "b = '‹AAAAAAAAAAAAAAAAAAAAA{a24}%2F{a30}%3D{a40}›'",
        "AAAAAAAAAAAAAAAAAAAAAGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABagsAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ),
    ("huggingface-token", "'‹hf_{a34}›'", "hf_hub_download_of_a_file_with_a_long_name"),
    ("pinecone-key", "'‹pcsk_{a5}_{a63}›'", "pcsk_x"),
    ("langsmith-key", "'‹lsv2_pt_{h32}_{h10}›'", "lsv2_pt_x"),
    ("langfuse-key", "'‹sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}›'", "sk-lf-x"),
    ("newrelic-license", "license_key: ‹eu01xx{h30}NRAL›", "MINERAL"),
    ("grafana-legacy-key", "'‹eyJrIjoi{a72}==›'", "eyJrIjoi"),
    ("dynatrace-token", "'‹dt0c01.{U24}.{U64}›'", "dt0c01.x"),
    ("infracost-key", "'‹ico-{a32}›'", "ico-arrow-left"),
    ("prefect-key", "'‹pnu_{l36}›'", "pnu_x"),
    ("tailscale-key", "'‹tskey-auth-{a12}CNTRL-{a32}›'", "tskey-auth-x"),
    ("openshift-token", "oc login --server x -t ‹sha256~{w43}›", "sha256~x"),
    ("okta-token", "Authorization: SSWS ‹00{w40}›", "SSWS 00"),
    ("onepassword-token", "'‹ops_eyJ{b300}›'", "ops_eyJ"),
    ("cloudinary-url", "cloudinary://{d15}:‹{w27}›@acme", "cloudinary://key:secret@cloud"),
    ("airtable-token", "'‹pat{a14}.{h64}›'", "patterns.py"),
    ("contentful-token", "'‹CFPAT-{w43}›'", "CFPAT-x"),
    ("typeform-token", "'‹tfp_{w59}›'", "tfp_x"),
    ("readme-key", "'‹rdme_{l70}›'", "rdme_x"),
    ("mapbox-secret-token", "'‹sk.eyJ1{w60}.{w22}›'", "sk.eyJ1"),
    ("authorization-token", "Authorization: Token ‹{h40}›", "Authorization: Token token_goes_in_this_place_please"),
    ("laravel-key", "APP_KEY=base64:‹{b43}=›\n", "APP_KEY=base64:"),
    ("uuid-token", "api_token: {q}‹{h8}-{h4}-{h4}-{h4}-{h12}›{q}", "token_id: 9f8c1b1e-8f6d-4a5e-9d0c-2f6f3c1b7a55"),
    (
        "netrc-password",
        "machine api.acme.io login bob password ‹{a24}7z›",
        "asks for a login and password before anything",
    ),
    ("pgpass-password", "db.acme.io:5432:prod:bob:‹{a24}7z›", "localhost:5432:5432 and db:5432:app:bob:password"),
    ("curl-password", "curl -u bob:‹{a24}7z› https://x", "curl -u user:password https://x; docker run -u 1000:1000 x"),
    ("defined-secret", "#define API_KEY {q}‹{a32}7z›{q}\n", "#define TOKEN_TABLE token_table_of_the_parser_2\n"),
    ("defined-secret", "ENV DB_PASSWORD ‹{a24}7z›\n", "ENV TOKEN_PATH /var/run/secrets/token2/path/of/it\n"),
    ("defined-secret", "run --password ‹{a24}7z› --now", "run --token file_of_the_token_to_use"),
    (
        "assigned-secret",
        "DB_PASSWORD          = {q}‹{a24}4x›{q}",
        "password              = get_password_of_the_user_2()",
    ),
    ("assigned-secret", "static char api_key[] = {q}‹{a28}4x›{q};", "char *token[] = { \"one\" };"),
    ("assigned-secret", "val apiKey: String? = {q}‹{a28}4x›{q}", "val token: Token? = null"),
    (
        "assigned-secret",
        "{{q}name{q}:{q}DB_PASSWORD{q},{q}value{q}:{q}‹{a24}4x›{q}}",
        "{\"name\":\"TOKEN\",\"value\":\"x\"}",
    ),
    ("assigned-secret", "api_key = '‹{l32}42›'", "api_key = 'application_configuration_value_2'"),
    ("assigned-secret", "jwt_secret: '‹{a900}4x›'", "token = ''"),
    (
        "configured-secret",
        "- name: API_TOKEN\n  value: ‹{a40}19Zq8›\n",
        "- name: API_TOKEN\n  valueFrom: secretKeyRef\n",
    ),
    ("configured-secret", "X-API-Key: ‹{a32}19Zq8›\n", "X-API-Key: the_key_of_the_application_2\n"),
    ("configured-secret", "Server=db;Password=‹{a24}19Zq8›;Database=x", "Server=db;Password=;Database=x"),
    ("configured-secret", "https://x/y?token=‹{a32}19Zq8›&b=1", "https://x/y?token=TOKEN&b=1"),
    ("configured-secret", "{user: bob, password: ‹{a24}19Zq8›}", "{user: bob, password: undefined}"),
    ("configured-secret", "DB_PASSWORD=‹{a24}19Zq8› ./run", "DB_PASSWORD=$(pass show db) ./run"),
    ("configured-secret", "password:                ‹{a24}19Zq8›\n", "password:                none\n"),
    (
        "configured-secret",
        "<property name={q}password{q}>‹{a24}19Zq8›</property>",
        "<property name=\"password\">x</property>",
    ),
    ("configured-secret", "signing_key: ‹{b38}19Zq8=›\n", "signing_key: the-key-of-this-application-2\n"),
    ("assigned-password", "password = {q}‹{a9}7zK4›{q}", "password = \"Password1234\""),
    ("configured-password", "SMTP_PASS=‹{a8}7zK4{a4}Q5›\n", "SMTP_PASS=password1234\n"),
    ("configured-password", "DB_PASSWORD=‹{a9}!#{a9}7zK4›\n", "password: settings.MAIN.Password42\n"),
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
