// `npm run schema:postgres`: the example's schema for PostgreSQL, made of the one for SQLite.
import { writeSchema } from './database/write-schema.ts'

await writeSchema('postgresql', 'prisma/postgresql/schema.prisma', 'prisma/generated')
