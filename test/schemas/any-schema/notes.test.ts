import { placeOf } from '@prismapi/jsonapi/schema/notes'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import { expect, test } from 'vitest'
import { fixtureNames, schemaText } from '../../support/any-schema/fixtures.ts'
import { resourcesOf } from '../../support/resources-of.ts'

const secret = 'its name says that it holds a secret.'
const needed =
  'its name says that it holds a secret. It is accepted and never shown, since rows need it. Write /// @hidden above it where only code fills it, or /// @writeOnly to say so.'
const illegal = 'JSON:API does not allow the name.'
const unnamed = 'it has no id and no unique without nullable fields, so its rows cannot be named. Add @id or @unique.'
const telling = (key: string) =>
  `its id would tell ${key}, whose name says that it holds a secret. Give it another id, or say attribute('${key}').visible() in its schema class.`
const formerType = (type: string) =>
  `it was ${type} up to version 0.1. Say type = '${type}' in its schema class to keep that.`
const formerLink = (name: string, former: string) =>
  `what it links was ${former} up to version 0.1. Say relation('${name}').named('${former}') in its schema class to keep that.`

/** Everything that is decided about the fixtures without being asked. */
const expected: Readonly<Record<string, readonly string[]>> = {
  legacy: [
    `audit_log_2019 → audit-logs-2019: ${formerType('audit-log-2019s')}`,
    `audit_log_2019.old_ → old: ${illegal}`,
    `audit_log_2019.new_ → new: ${illegal}`,
  ],
  names: [
    `Type.type → typeType: ${illegal}`,
    `Type.links → typeLinks: ${illegal}`,
    `Type.relationships → typeRelationships: ${illegal}`,
    `Note.links → noteLinks: ${illegal}`,
    `Note.id → noteId2: ${illegal}`,
    `Note.type → noteType2: ${illegal}`,
    `Note.class_ → class2: ${illegal}`,
    `URL.a_b__c_ → a_b__c: ${illegal}`,
  ],
  platform: [
    `User.passwordHash hidden: ${secret}`,
    `User.backupCodes hidden: ${secret}`,
    `OAuthAccount.refresh_token hidden: ${secret}`,
    `OAuthAccount.access_token hidden: ${secret}`,
    `OAuthAccount.id_token hidden: ${secret}`,
    `Employee.pin hidden: ${secret}`,
    `UserSession.sessionToken write-only: ${needed}`,
    `ApiKey.key write-only: ${needed}`,
    `Webhook.secret write-only: ${needed}`,
    `OAuthAccount → oauth-accounts: ${formerType('o-auth-accounts')}`,
    `Model3D → model-3ds: ${formerType('model3-ds')}`,
    `OAuthAccount.type → oAuthAccountType: ${illegal}`,
    `ProgramEnrollment.links → programEnrollmentLinks: ${illegal}`,
  ],
  plurals: [
    'Posts → posts-2: posts is the type of another model.',
    'blog_post → blog-post: blog-posts is the type of another model.',
    'People → people-2: people is the type of another model.',
    'Datum → datum: data is the type of another model.',
  ],
  project: [`File.type → fileType: ${illegal}`, `Field.type → fieldType: ${illegal}`],
  secrets: [
    `User.password hidden: ${secret}`,
    `User.passwordHash hidden: ${secret}`,
    `User.reset_token hidden: ${secret}`,
    `User.apiKey hidden: ${secret}`,
    `User.salt hidden: ${secret}`,
    `Account.refresh_token hidden: ${secret}`,
    `Account.access_token hidden: ${secret}`,
    `Webhook.secret write-only: ${needed}`,
    `Account.type → accountType: ${illegal}`,
    `Session skipped: ${telling('sessionToken')}`,
    `VerificationToken skipped: ${telling('token')}`,
    'User.sessions skipped: Session is not served.',
  ],
  skipped: [
    `Lonely skipped: ${unnamed}`,
    `Ranking skipped: ${unnamed}`,
    'Customer.visits skipped: the other end of the relation is ignored. Remove its @ignore.',
    'Customer.orders skipped: it needs Order.customerId, which is ignored. Remove its @ignore.',
    'Customer.lonely skipped: Lonely is not served.',
    'Order.customer skipped: it needs Order.customerId, which is ignored. Remove its @ignore.',
  ],
  strangers: [
    `OAuthClient.secret write-only: ${needed}`,
    `OAuthClientV2.pin write-only: ${needed}`,
    `OAuthClient → oauth-clients: ${formerType('o-auth-clients')}`,
    `Model3D → model-3ds: ${formerType('model3-ds')}`,
    `ModelVersionV2 → model-versions-v2: ${formerType('model-version-v2s')}`,
    `OAuthClientV2 → oauth-clients-v2: ${formerType('o-auth-client-v2s')}`,
    `Model3D.engagements → engagementVersions: ${formerLink('engagementVersions', 'model3DVersions')}`,
    `Model3D.downloads → downloadVersions: ${formerLink('downloadVersions', 'model3DVersions2')}`,
    `Model3D.metrics → metricVersions: ${formerLink('metricVersions', 'model3DVersions22')}`,
    `ModelVersionV2.downloads → downloadModels: ${formerLink('downloadModels', 'modelVersionV2Models')}`,
  ],
  values: [`Default.token_ hidden: ${secret}`],
}

test.each(fixtureNames)('what is hidden, renamed or skipped of %s is told, with the reason', (name) => {
  const resources = resourcesOf(schemaText(name, 'sqlite'), 'sqlite')
  const { notes } = compileRegistry({ resources, schemas: new Map(), only: null, maxPageSize: 100 })
  const told = [
    ...notes.hidden.map((note) => `${placeOf(note)} hidden: ${note.reason}`),
    ...notes.secrets.map((note) => `${placeOf(note)} write-only: ${note.reason}`),
    ...notes.renamed.map((note) => `${placeOf(note)} → ${note.name}: ${note.reason}`),
    ...notes.skipped.map((note) => `${placeOf(note)} skipped: ${note.reason}`),
    ...notes.warnings,
  ]
  expect(told).toEqual(expected[name] ?? [])
})

test('a model that needs one that is not served is told to be created by hooks alone', () => {
  const models = `model Grant {
  secret String @id
  uses   Use[]
}
model Use {
  id      Int    @id
  grant   Grant  @relation(fields: [grantId], references: [secret])
  grantId String
}`
  const datasource = 'datasource db {\n  provider = "sqlite"\n}\n'
  const resources = resourcesOf(datasource + models, 'sqlite')
  const { notes } = compileRegistry({ resources, schemas: new Map(), only: null, maxPageSize: 100 })
  expect(notes.skipped.map((note) => `${placeOf(note)}: ${note.reason}`)).toEqual([
    `Grant: ${telling('secret')}`,
    'Use.grant: Grant is not served. It is required, so clients create no Use, unless a creating hook fills grantId.',
  ])
})
