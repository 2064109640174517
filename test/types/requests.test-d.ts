// Checked by `npx tsc`, never run: request classes as the generator and the documentation write them.
import {
  integer,
  notSupported,
  ResourceCollectionQuery,
  ResourceRequest,
  type RowOf,
  string,
  toMany,
  toOne,
} from 'prismapi'
import type { Validator } from 'prismapi/rules'
import type { Linkage } from 'prismapi/types'
import type {} from '../../prisma/generated/resources.ts'

export class Rightly extends ResourceRequest<'Post', 'summary'> {
  override rules() {
    return this.checked({ title: string(), 'tags.*': string(), author: toOne(), summary: string(), id: string() })
  }

  override withValidator(validator: Validator) {
    validator.after(async () => {
      const email: string | undefined = (await this.toOne('author'))?.email
      const names: string[] = (await this.toMany('tags')).map(({ name }) => name)
      // @ts-expect-error a user has no title
      void (await this.toOne('author'))?.title
      // The rows of a relation that only the schema class has are of the type that is said.
      const summary = await this.toOne<RowOf<'Video'>>('summary')
      validator.fail('title', `${email} ${names} ${summary?.url}`)
    })
    // @ts-expect-error no such relation
    void this.toOne('autor')
    // @ts-expect-error to many
    void this.toOne('tags')
    // @ts-expect-error to one
    void this.toMany('author')
  }
}

/** What rules are about has the names of the type. */
export class Looking extends ResourceRequest<'Post', 'summary'> {
  override withValidator(validator: Validator) {
    const { title, author, tags, id, type, summary } = this.validationData()
    const sent: unknown[] = [title, summary]
    const linkage: Linkage | undefined = author ?? tags
    const key: string | null | undefined = id
    validator.fail('title', `${sent} ${linkage} ${key} ${type.length}`)
    // @ts-expect-error no such field
    void this.validationData().titel
    // @ts-expect-error a client may have sent anything
    void this.validationData().title.length
    validator.after(() => {
      void this.validated().slug
      // @ts-expect-error no such field
      void this.validated().slgu
    })
  }
}

// Without annotations: fewer rules, or others.
export class Fewer extends Rightly {
  override rules() {
    return this.checked({ content: string() })
  }
}

export class Misspelt extends ResourceRequest<'Post'> {
  override rules() {
    // @ts-expect-error no such field
    return this.checked({ title: string(), titel: string() })
  }
}

const everybody = { title: string() }
const administrators = { ...everybody, autor: toOne() }

export class MisspeltConstant extends ResourceRequest<'Post'> {
  override rules() {
    if (this.user?.role !== 'ADMIN') return this.checked(everybody)
    // @ts-expect-error no such field, in one of the branches
    return this.checked(administrators)
  }
}

export class MisspeltPath extends ResourceRequest<'Post'> {
  override rules() {
    // @ts-expect-error no such field to have a path below
    return this.checked({ tags: toMany(), 'tag.*': string() })
  }
}

export class Deleting extends ResourceRequest<'Post'> {
  override deleteRules() {
    return this.checked({ 'meta.comments': integer(), title: string() })
  }
}

export class MisspeltDeleting extends ResourceRequest<'Post'> {
  override deleteRules() {
    // @ts-expect-error no such field, and none of metaForDelete()
    return this.checked({ 'met.comments': integer() })
  }
}

export class RightQuery extends ResourceCollectionQuery<'Post'> {
  override rules() {
    return this.checked({ 'page.size': integer(), 'filter.slug': notSupported(), includePage: notSupported() })
  }
}

export class FewerQueries extends RightQuery {
  override rules() {
    return this.checked({ sort: notSupported() })
  }
}

export class MisspeltQuery extends ResourceCollectionQuery<'Post'> {
  override rules() {
    // @ts-expect-error no such family of parameters
    return this.checked({ 'page.size': integer(), 'fitler.slug': notSupported() })
  }
}
