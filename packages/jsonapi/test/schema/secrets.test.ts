import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isSecret, saysSecret } from '../../src/schema/secrets.ts'
import { columnOf } from './meta.ts'

// Columns of ten public applications, each judged by a person: would who reads it be able to sign in, sign, decrypt or join?
const table = readFileSync(path.resolve(import.meta.dirname, '../../../../test/fixtures/secrets/columns.csv'), 'utf8')
const judged = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [model, column, kind, secret] = line.split(',') as [string, string, string, string]
    return { model, column, kind, isSecret: secret === 'yes' }
  })

const taken = (model: string, name: string, kind: string): boolean => {
  const [type = ''] = kind.split(/[[ ]/)
  const more = { isEnum: type === 'enum', isForeignKey: kind.endsWith('foreign key'), isList: kind.includes('[]') }
  return isSecret(model, columnOf(name, type, more))
}

/** What the documentation quotes. */
const figures = () => {
  const found = judged.filter(({ model, column, kind }) => taken(model, column, kind))
  const right = found.filter((each) => each.isSecret).length
  const all = judged.filter((each) => each.isSecret).length
  return { columns: judged.length, secrets: all, precision: right / found.length, recall: right / all }
}

test('of real columns at least 95 in 100 are taken for what they are, both ways, and the documentation says how many', () => {
  const { columns, secrets, precision, recall } = figures()
  expect(columns).toBeGreaterThanOrEqual(300)
  expect([precision >= 0.95, recall >= 0.95]).toEqual([true, true])
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/inference.md'), 'utf8')
  expect(page).toContain(`| ${columns} | ${secrets} | ${precision.toFixed(2)} | ${recall.toFixed(2)} |`)
})

const schemas = path.resolve(import.meta.dirname, '../../../../test/fixtures/schemas')
/** The secrets among all texts, Json and bytes of the schemas of `doctor`'s tests, judged by a person. */
const secretsOfSchemas: Readonly<Record<string, readonly string[]>> = {
  platform: [
    ...['User.passwordHash', 'User.backupCodes', 'OAuthAccount.refresh_token', 'OAuthAccount.access_token'],
    ...['OAuthAccount.id_token', 'UserSession.sessionToken', 'ApiKey.key', 'Webhook.secret', 'Employee.pin'],
    // Who knows it gets in.
    'EventTicket.code',
  ],
  secrets: [
    ...['User.password', 'User.passwordHash', 'User.reset_token', 'User.apiKey', 'User.salt', 'User.pin'],
    ...['Account.refresh_token', 'Account.access_token', 'Session.sessionToken', 'VerificationToken.token'],
    'Webhook.secret',
  ],
  strangers: ['OAuthClient.secret', 'OAuthClientV2.pin'],
}

/** `Model.column` of each column of a schema that could hold a secret. */
function columnsIn(file: string): readonly string[] {
  const text = readFileSync(path.join(schemas, file), 'utf8')
  return [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].flatMap(([, model, body = '']) => {
    const keys = new Set([...body.matchAll(/fields: \[([^\]]*)\]/g)].flatMap(([, names = '']) => names.split(/,\s*/)))
    const columns = [...body.matchAll(/^\s+(\w+)\s+(?:String|Json|Bytes)\b/gm)].map(([, name = '']) => name)
    return columns.filter((name) => !keys.has(name)).map((name) => `${model}.${name}`)
  })
}

test('of all columns of whole schemas, the documentation says how many are taken for what they are', () => {
  const files = readdirSync(schemas).filter((file) => file.endsWith('.prisma'))
  const all = files.flatMap((file) => columnsIn(file).map((column) => ({ file, column })))
  const found = all.filter(({ column }) => saysSecret(...(column.split('.') as [string, string])))
  const isRight = ({ file, column }: (typeof all)[number]) =>
    secretsOfSchemas[file.replace('.prisma', '')]?.includes(column) === true
  const right = found.filter(isRight).length
  const secrets = Object.values(secretsOfSchemas).flat().length
  expect(all.filter(isRight)).toHaveLength(secrets)
  const [precision, recall] = [right / found.length, right / secrets]
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/inference.md'), 'utf8')
  expect(page).toContain(`| ${all.length} | ${secrets} | ${precision.toFixed(2)} | ${recall.toFixed(2)} |`)
})

test.each([
  ['User', 'password', 'String'],
  ['User', 'passwordHash', 'String'],
  ['User', 'resetToken', 'String'],
  ['User', 'api_key', 'String'],
  ['User', 'salt', 'Bytes'],
  ['User', 'twoFactorBackupCodes', 'String[]'],
  ['Credential', 'key', 'Json'],
  ['App', 'keys', 'Json'],
  ['ApiKey', 'key', 'String'],
  ['Authenticator', 'encryptedSad', 'Bytes'],
  ['Device', 'encryptedSecurityKey', 'String'],
  ['Product', 'licenseKey', 'String'],
  ['Survey', 'pin', 'String'],
  ['User', 'hash', 'String'],
  ['User', 'totpSeed', 'String'],
  ['UserResetPasswordHash', 'hash', 'String'],
  ['UserActivationHash', 'hash', 'String'],
  ['UserAccountHash', 'hash', 'String'],
  ['Invite', 'hash', 'String'],
  ['Grant', 'code', 'String'],
  ['MagicLink', 'code', 'String'],
  ['Verification', 'value', 'String'],
  ['SsoProvider', 'oidcConfig', 'Json'],
  ['SsoProvider', 'samlConfig', 'String'],
  ['Apikey', 'key', 'String'],
  ['Mailbox', 'smtpPass', 'String'],
  ['Source', 'dbPass', 'String'],
  ['Wallet', 'seed', 'String'],
  ['Node', 'privKey', 'String'],
  ['User', 'pass_hash', 'String'],
  ['Usuario', 'senha', 'String'],
  ['Usuario', 'contrasena', 'String'],
  ['Usuario', 'clave', 'String'],
  ['Benutzer', 'passwort', 'String'],
  ['Utilisateur', 'mot_de_passe', 'String'],
  ['Pengguna', 'kata_sandi', 'String'],
])('%s.%s, %s, is a secret', (model, column, kind) => {
  expect(taken(model, column, kind)).toBe(true)
})

test.each([
  ['Usage', 'inputTokens', 'Int'],
  ['Model', 'maxOutputTokens', 'BigInt'],
  ['Prompt', 'tokenCountEstimate', 'Float'],
  ['OAuthResource', 'accessTokenTtl', 'Int'],
  ['ModelFile', 'hashType', 'enum'],
  ['Snapshot', 'contentHash', 'String'],
  ['Media', 'sha256Hash', 'String'],
  ['Account', 'token_type', 'String'],
  ['Passkey', 'credentialDeviceType', 'String'],
  ['AuditLog', 'apiKeyId', 'String'],
  ['Resource', 'signingKeyId', 'String'],
  ['Passkey', 'credentialId', 'Bytes'],
  ['Passkey', 'credentialPublicKey', 'Bytes'],
  ['User', 'hasPassword', 'Boolean'],
  ['User', 'tokenExpiresAt', 'DateTime'],
  ['Upload', 'token', 'String foreign key'],
  ['Commit', 'hash', 'String'],
  ['Setting', 'key', 'String'],
  ['Post', 'hashtag', 'String'],
  ['Staff', 'secretary', 'String'],
  ['Shop', 'zipCode', 'String'],
  ['Ticket', 'boardingPass', 'String'],
  ['Image', 'seed', 'String'],
  ['Product', 'value', 'String'],
  ['Block', 'hash', 'String'],
])('%s.%s, %s, is none', (model, column, kind) => {
  expect(taken(model, column, kind)).toBe(false)
})
