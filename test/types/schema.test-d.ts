// Checked by `npx tsc`, never run: schema classes as an application writes them.
import { Schema } from 'prismapi'
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
