import { underscore } from 'inflection'
import type { ColumnMeta } from '../model/meta.ts'

// A name says by its last noun what a column holds: `passwordHash` is made of the
// password itself, `tokenUsage` counts and `credentialId` names something. So the
// words below are looked for at the end, and before the words that wrap a secret.

/** The nouns of secrets, each with what its owner can do. */
const nouns: Readonly<Record<string, string>> = {
  password: 'signs in',
  passwd: 'signs in',
  pwd: 'signs in',
  passphrase: 'signs in, or decrypts',
  passcode: 'signs in',
  pin: 'signs in',
  otp: 'signs in',
  totp: 'makes one-time passwords',
  token: 'signs in, or proves who was invited',
  jwt: 'signs in',
  bearer: 'signs in',
  secret: 'signs, or decrypts',
  credential: 'signs in somewhere else',
  apikey: 'signs in',
  salt: 'helps to guess a password',
  pepper: 'helps to guess a password',
  mnemonic: 'restores a wallet',
  cvv: 'pays',
  cvc: 'pays',
  ciphertext: 'is encrypted, so nobody is meant to read it',
  pfx: 'holds a private key',
  // A password in other languages, as far as the word means nothing else in English.
  senha: 'signs in',
  contrasena: 'signs in',
  contrasenia: 'signs in',
  contrasenya: 'signs in',
  clave: 'signs in',
  passwort: 'signs in',
  kennwort: 'signs in',
  motdepasse: 'signs in',
  mdp: 'signs in',
  wachtwoord: 'signs in',
  losenord: 'signs in',
  adgangskode: 'signs in',
  passord: 'signs in',
  salasana: 'signs in',
  heslo: 'signs in',
  haslo: 'signs in',
  jelszo: 'signs in',
  sifre: 'signs in',
  parola: 'signs in',
}

/** Words that only together say it. */
const pairs: Readonly<Record<string, string>> = {
  'api key': 'signs in',
  'access key': 'signs in',
  'auth key': 'signs in',
  'secret key': 'signs, or decrypts',
  'private key': 'signs, or decrypts',
  'priv key': 'signs, or decrypts',
  'signing key': 'signs',
  'encryption key': 'decrypts',
  'decryption key': 'decrypts',
  'security key': 'signs in',
  'master key': 'decrypts',
  'session key': 'signs in',
  'service key': 'signs in',
  'stream key': 'broadcasts in the name of its owner',
  'license key': 'activates what was paid for',
  'activation key': 'activates what was paid for',
  'recovery key': 'signs in without a password',
  'share key': 'opens what is not public',
  'code verifier': 'redeems an authorization code',
  'seed phrase': 'restores a wallet',
  'recovery phrase': 'restores a wallet',
  'wallet seed': 'restores a wallet',
  'master seed': 'restores a wallet',
  'totp seed': 'makes one-time passwords',
  'otp seed': 'makes one-time passwords',
  'mfa seed': 'makes one-time passwords',
  'security answer': 'signs in without a password',
  'secret answer': 'signs in without a password',
  'auth data': 'holds credentials for somewhere else',
  'auth config': 'holds credentials for somewhere else',
  'oauth config': 'holds credentials for somewhere else',
  'oidc config': 'holds credentials for somewhere else',
  'saml config': 'holds credentials for somewhere else',
  'sso config': 'holds credentials for somewhere else',
  'smtp config': 'holds credentials for somewhere else',
  'ldap config': 'holds credentials for somewhere else',
  'connection string': 'holds a password',
  'mot de passe': 'signs in',
  'kata sandi': 'signs in',
  'mat khau': 'signs in',
}

/** What a `pass` behind it opens: `smtpPass`, not `boardingPass`. */
const opened: ReadonlySet<string> = new Set([
  ...['smtp', 'imap', 'pop3', 'mail', 'email', 'ftp', 'sftp', 'ssh', 'ldap', 'proxy', 'wifi', 'http', 'basic'],
  ...['db', 'database', 'mysql', 'mariadb', 'pg', 'postgres', 'redis', 'mongo', 'rabbitmq', 'mqtt'],
  ...['user', 'admin', 'root', 'login', 'auth', 'account', 'keystore', 'cert'],
])

/** Words behind a secret that leave it one: what was made of it, how it is written, and which of several it is. */
const wraps: ReadonlySet<string> = new Set([
  ...['hash', 'hashed', 'digest', 'encrypted', 'cipher', 'enc', 'salt'],
  ...['value', 'data', 'raw', 'plain', 'json', 'string', 'text', 'base64', 'b64', 'hex', 'pem'],
  ...['old', 'new', 'current', 'previous', 'next', 'temp', 'history'],
])

/** Words before a secret that say it is none: it is public, only a hint of it is kept, or it tells what happened. */
const harmless: ReadonlySet<string> = new Set([
  ...['public', 'publishable', 'pk', 'display', 'partial', 'masked', 'obfuscated', 'redacted', 'truncated'],
  ...['error', 'status'],
])

/** Words that say of anything behind or before them that it is kept from readers. */
const concealing: ReadonlySet<string> = new Set(['encrypted', 'hashed'])

/** What a code lets its owner in by: `inviteCode`, `MfaBackupCode.code`; not `Coupon.code`, and not `zipCode`. */
const codes: ReadonlySet<string> = new Set([
  ...['backup', 'recovery', 'mfa', 'otp', 'login', 'access', 'device'],
  ...['verification', 'confirmation', 'activation', 'reset', 'invite', 'invitation', 'authorization', 'auth', 'oauth'],
])

/** Models whose `code` and `hash` let their owner in, beside those called like the codes above. */
const doors: ReadonlySet<string> = new Set([...codes, 'magic', 'grant', 'password'])

/** Models that are called like a secret, and the columns of theirs whose own names say nothing. */
const models: readonly (readonly [called: RegExp, columns: ReadonlySet<string>])[] = [
  [
    /(^|_)(api_?|access_|secret_|private_|license_|signing_|encryption_)key$|^key$/,
    new Set(['key', 'value', 'lookup']),
  ],
  // A widespread library keeps the tokens of its reset links there.
  [/(^|_)verification$/, new Set(['value'])],
  [/(^|_)wallet$/, new Set(['seed'])],
  [/(^|_)credential$/, new Set(['key', 'value', 'data', 'payload'])],
  [/(^|_)(token|secret|password|otp)(_store)?$/, new Set(['value', 'data'])],
]

/** Models of those who sign in: their bare `hash` is that of a password, and their `pass` is one. */
const people = /(^|_)(user|account|admin|member|customer|password|credential)$/

/**
 * Does a column hold a secret: something by which a reader could sign in, sign, decrypt or join,
 * or guess what does. Numbers, booleans, dates, enums and foreign keys are never taken for one.
 */
export function isSecret(
  model: string,
  { name, type, isEnum, isForeignKey }: Pick<ColumnMeta, 'name' | 'type' | 'isEnum' | 'isForeignKey'>,
): boolean {
  const canHold = type === 'String' || type === 'Json' || type === 'Bytes'
  return canHold && !isEnum && !isForeignKey && saysSecret(model, name)
}

/** What a table of codes has beside them. */
const labels = /(^|_)(label|name|title|description|sort|order|position|active|enabled)$/

/**
 * Is a key that of a table of codes and their labels, `access_code(access_code, label)`:
 * such a code lets nobody in. `columns` are those of the table.
 */
export function isCodeOfTable(key: readonly string[], columns: readonly string[]): boolean {
  const [name = '', ...more] = key
  const others = columns.filter((column) => column !== name)
  const isCode = more.length === 0 && wordsOf(name).at(-1) === 'code'
  return isCode && others.length > 0 && others.every((column) => labels.test(underscore(column)))
}

/** The same by the two names alone. */
export function saysSecret(model: string, column: string): boolean {
  const words = wordsOf(column)
  // Several of them under no name of their own are the keys themselves; one `key` is the name of something.
  if (column === 'keys') return true
  if (words.some((word) => harmless.has(word))) return false
  const inner = withoutWraps(words)
  return isConcealed(words) || holdsSecret(words) || holdsSecret(inner) || isSecretIn(wordsOf(model), words, inner)
}

function holdsSecret(words: readonly string[]): boolean {
  const last = words.at(-1) ?? ''
  const [pair, triple] = [words.slice(-2).join(' '), words.slice(-3).join(' ')]
  if ([nouns, pairs].some((said) => [last, pair, triple].some((each) => Object.hasOwn(said, each)))) return true
  if (last === 'pass' && opened.has(words.at(-2) ?? '')) return true
  return (
    /.(password|passwd|secret|token)$|(priv|private|secret|api|access)key$/.test(last) ||
    (last === 'code' && words.some((word) => codes.has(word)))
  )
}

function isSecretIn(modelWords: readonly string[], words: readonly string[], inner: readonly string[]): boolean {
  const model = modelWords.join('_')
  const [column, bare] = [words.join('_'), inner.join('_')]
  // `DeviceCode.code` signs a caller in; `Device.code` is what the device is called.
  const isDoor = modelWords.some((word) => doors.has(word) && (word !== 'device' || modelWords.includes('code')))
  if (bare === 'code') return isDoor
  // `UserAccountHash.hash` is told by what the model is about.
  if (column === 'hash') return isDoor || people.test(model.replace(/_hash$/, ''))
  if (bare === 'pass') return people.test(model)
  return models.some(([called, columns]) => called.test(model) && (columns.has(column) || columns.has(bare)))
}

// `encryptedSad`, `forgejoTokenEncrypted` and `hashedKey`; not
// `encryptedFileName`, which says that a file is encrypted.
const isConcealed = (words: readonly string[]): boolean =>
  concealing.has(words[0] ?? '') || (words.length > 1 && concealing.has(words.at(-1) ?? ''))

function withoutWraps(words: readonly string[]): readonly string[] {
  const end = words.findLastIndex((word) => !wraps.has(word) && !/^\d+$/.test(word))
  return words.slice(0, end + 1)
}

/** In small letters and the singular: `twoFactorBackupCodes` is two, factor, backup, code. */
const wordsOf = (name: string): readonly string[] =>
  underscore(name)
    .split('_')
    .filter((word) => word !== '')
    .map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word))
