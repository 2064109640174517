// Checked by `npx tsc`, never run: the types that `prisma generate` writes for the example's schema.
import type { ModelName, RowOf, WhereOf } from 'prismapi'
import type { ColumnOf, DataOf, RelationOf, ToManyOf, ToOneOf } from 'prismapi/types'
// The application imports its resources somewhere; that is what makes `Register` know the models.
import type { Post, Prisma } from '../../prisma/generated/client/client.ts'
import type {} from '../../prisma/generated/resources.ts'

export const model: ModelName = 'Comment'
// @ts-expect-error no such model
export const misspeltModel: ModelName = 'Coment'

export const videoId = (row: RowOf<'Video'>): string => row.id
export const rating = (row: RowOf<'Video'>): number | null => row.rating
// @ts-expect-error no such column
export const misspeltField = (row: RowOf<'Video'>) => row.raiting
// @ts-expect-error a row holds its columns, not its relations
export const relationOfRow = (row: RowOf<'Video'>) => row.tags

export const where: WhereOf<'Post'> = { publishedAt: { lte: new Date() }, author: { is: { role: 'ADMIN' } } }
// @ts-expect-error no such column
export const misspeltWhere: WhereOf<'Post'> = { publisedAt: null }
// @ts-expect-error not a value of the enum
export const misspeltRole: WhereOf<'User'> = { role: 'ADMN' }

export const data: DataOf<'Profile'> = { userId: 1, bio: null }
// @ts-expect-error relations are no data
export const relationInData: DataOf<'Post'> = { title: 'a', slug: 'a', content: 'a', authorId: 1, tags: {} }

export const column: ColumnOf<'Post'> = 'publishedAt'
// @ts-expect-error a relation is no column
export const relationAsColumn: ColumnOf<'Post'> = 'tags'

export const relations: RelationOf<'Post'>[] = ['author', 'tags', 'comments']
export const toOne: ToOneOf<'Comment'>[] = ['author', 'post', 'video']
export const toMany: ToManyOf<'Post'>[] = ['tags', 'comments']
// @ts-expect-error no such relation
export const misspeltRelation: RelationOf<'Post'> = 'autor'
// @ts-expect-error to many
export const toManyAsToOne: ToOneOf<'Post'> = 'tags'
// @ts-expect-error to one
export const toOneAsToMany: ToManyOf<'Post'> = 'author'

// Prisma's client and ours take each other's conditions, rows and data: an application may hand on what it was given.
export const ownToPrisma = (where: WhereOf<'Post'>): Prisma.PostWhereInput => where
export const prismaToOwn = (where: Prisma.PostWhereInput): WhereOf<'Post'> => where
export const rowOfPrisma = (row: Post): RowOf<'Post'> => row
export const rowForPrisma = (row: RowOf<'Post'>): Post => row
export const dataOfPrisma = (data: Prisma.PostCreateManyInput): DataOf<'Post'> => data
export const dataForPrisma = (data: DataOf<'Post'>): Prisma.PostCreateManyInput => data
