// Before the tests run on another database: its Prisma client and resources, beside those of the example.
import { prismaCli } from './database/prisma-cli.ts'
import type { Provider } from './database/schema-for.ts'
import { writeSchema } from './database/write-schema.ts'

const provider = process.argv[2] as Provider
const folder = `prisma/generated/tests/${provider}`
await writeSchema(provider, `${folder}/schema.prisma`, folder)
const { failed, stdout, stderr } = await prismaCli('generate', '--schema', `${folder}/schema.prisma`)
if (failed) throw new Error(stdout + stderr)
