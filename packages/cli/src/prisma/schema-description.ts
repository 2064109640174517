// How Prisma describes a schema, to generators and in its parser's answers. Prisma calls these types internal, so they
// follow no SemVer: `test/prisma/generator-protocol.test.ts` says what is missing or new.
export type { DMMF, GeneratorManifest, GeneratorOptions } from '@prisma/generator-helper'
