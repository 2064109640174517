// How Prisma describes a schema, to generators and in its parser's answers. Prisma calls these types its own, which follow no SemVer: what
// they lack or have too much is told by `test/prisma/generator-protocol.test.ts`.
export type { DMMF, GeneratorManifest, GeneratorOptions } from '@prisma/generator-helper'
