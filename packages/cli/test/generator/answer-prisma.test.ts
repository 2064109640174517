import { expect, test } from 'vitest'
import { cutClientDescription } from '../../src/prisma/generator-protocol.ts'

const datamodel = 'model A { /// ,"schema":{"inputObjectTypes": ä\n }'
const message = {
  id: 1,
  method: 'generate',
  params: {
    datamodel,
    dmmf: {
      datamodel: { models: [{ name: 'A', documentation: ',"mappings":{"modelOperations":' }] },
      schema: { inputObjectTypes: { prisma: ['large'] }, enumTypes: {} },
      mappings: { modelOperations: [] },
    },
    schemaPath: '/ä.prisma',
  },
}

test('a message is read without what Prisma Client is made of, whatever comments say', () => {
  const { schema, ...dmmf } = message.params.dmmf
  expect(JSON.parse(cutClientDescription(Buffer.from(JSON.stringify(message))))).toEqual({
    ...message,
    params: { ...message.params, dmmf },
  })
})

test('a message without it is read as it is', () => {
  const asked = '{"id":1,"method":"getManifest","params":{"name":"resources"}}'
  expect(cutClientDescription(Buffer.from(asked))).toBe(asked)
})
