// Checked by `npx tsc`, never run: schema classes as an application writes them.
import { type Fields, Schema } from 'prismapi'
import type {} from '../../prisma/generated/resources.ts'

export class Rightly extends Schema<'Post'> {
  override fields() {
    return [
      this.attribute('content').named('body'),
      this.attribute('excerpt')
        .named('summary')
        .computed(['content', 'createdAt'], (row) => {
          const content: string = row.content
          const createdAt: Date = row.createdAt
          // @ts-expect-error a column that is not named is not loaded
          row.title
          return `${content} ${createdAt}`
        }),
      // @ts-expect-error no such column
      this.attribute('excerpt').computed(['contnt'], () => 1),
      this.attribute('slug').serializeUsing((slug: string) => slug.length),
      this.attribute('publishedAt').serializeUsing((date: Date | null) => date?.getTime()),
      // @ts-expect-error it may be null
      this.attribute('publishedAt').serializeUsing((date: Date) => date.getTime()),
      this.attribute('own').virtual().writeOnly(),
      this.relation('tags').countable().alwaysShowData(),
      // @ts-expect-error no such relation
      this.relation('tag'),
    ]
  }

  override filters() {
    return [
      this.filter('title', { where: (title: string) => ({ title }) }),
      this.filter('published', {
        kind: 'boolean',
        where: (is: boolean) => (is ? { publishedAt: { not: null } } : null),
      }),
      this.filter('since', { kind: 'datetime', where: (createdAt: Date) => ({ createdAt: { gte: createdAt } }) }),
      this.filter('ids', { kind: 'integer', list: true, where: (ids: number[]) => ({ id: { in: ids } }) }),
      this.filter('state', { values: ['draft', 'live'], where: (state: 'draft' | 'live') => ({ title: state }) }),
      this.filter('mine', { where: (_, { user }) => (user ? { authorId: user.id } : null) }),
      // @ts-expect-error a text
      this.filter('number', { where: (id: number) => ({ id }) }),
      // @ts-expect-error no such column
      this.filter('titel', { where: (titel) => ({ titel }) }),
      // @ts-expect-error no such kind
      this.filter('number', { kind: 'number', where: () => null }),
    ]
  }

  override sorts() {
    return [
      this.sort('popularity', '-comments.count', 'title', '-createdAt', 'author.name'),
      // @ts-expect-error no such column
      this.sort('popularity', 'titel'),
    ]
  }
}

export class Ordered extends Schema<'Post', 'popularity'> {
  override readonly defaultSort = '-popularity'
  override readonly defaultInclude = ['author', 'comments.author'] as const
}

export class Sorted extends Schema<'Post'> {
  override readonly defaultSort = '-createdAt,author.name'
}

export class NullsLast extends Schema<'Post'> {
  override readonly defaultSort = '-publishedAt:nullsLast'
}

export class NullsFirst extends Schema<'Post', 'publication'> {
  override readonly defaultSort = 'publishedAt:nullsFirst,-publication:nullsLast'
}

export class NeverNull extends Schema<'Post'> {
  // @ts-expect-error a column that always has a value
  override readonly defaultSort = 'createdAt:nullsLast'
}

export class MisspeltPlace extends Schema<'Post'> {
  // @ts-expect-error no such place
  override readonly defaultSort = 'publishedAt:nullsEnd'
}

export class Misspelt extends Schema<'Post'> {
  // @ts-expect-error no such column
  override readonly defaultSort = '-creatdAt'
  // @ts-expect-error no such relation
  override readonly defaultInclude = ['autor'] as const

  override fields() {
    return [
      // @ts-expect-error neither a column, nor computed or virtual
      this.attribute('titel').hidden(),
      // @ts-expect-error no such relation
      this.morphTo('about', ['authr']),
      // @ts-expect-error no such column
      this.morphTo('about', { type: 'kind', id: 'id', models: { post: 'Post' } }),
      // @ts-expect-error no such model
      this.morphTo('about', { type: 'title', id: 'id', models: { post: 'Pots' } }),
    ]
  }
}

export class Unsaid extends Schema<'Post'> {
  // @ts-expect-error where its value comes from is not said
  override fields() {
    return [this.attribute('titel')]
  }
}

export class First extends Schema<'Post'> {
  override fields() {
    return [this.attribute('title').serializeUsing((title) => title.trim())]
  }
}

/** A class that another one extends need not say the type of its fields, as long as all are attributes. */
export class Second extends First {
  override fields() {
    return [
      ...super.fields(),
      this.attribute('createdAt').serializeUsing((createdAt) => createdAt.getTime()),
      this.attribute('publishedAt').asReadOnly(),
      this.attribute('excerpt').computed(['content'], ({ content }) => content.slice(0, 9)),
      // @ts-expect-error the value of the column is a date
      this.attribute('updatedAt').serializeUsing((updatedAt: string) => updatedAt),
    ]
  }
}

/** With its type, also relations. */
export class Third extends Schema<'Post'> {
  override fields(): Fields {
    return [this.attribute('title').asReadOnly()]
  }
}

export class Fourth extends Third {
  override fields(): Fields {
    return [...super.fields(), this.relation('author').cannotInclude(), this.id().clientGenerated()]
  }
}
