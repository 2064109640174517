import { array, bigint, clientId, enumOf, integer, number, object, string, toOne } from 'prismapi'
import { describe, expect, test } from 'vitest'
import type { ISchema } from 'yup'
import {
  AnySchema,
  type ApiParts,
  attribute,
  changesOf,
  edited,
  posts,
  relation,
  ruled,
  served,
} from '../../../../test/support/api-files.ts'

const telling = (at: ISchema<unknown>) =>
  posts(
    class extends AnySchema {
      override actions() {
        return [this.action('tell', { rules: { at }, handle: () => null } as never)]
      }
    },
  )

class ChosenIds extends AnySchema {
  override fields() {
    return [this.id().clientGenerated()]
  }
}

type Row = readonly [name: string, old: ApiParts, now: ApiParts, forth: readonly string[], back: readonly string[]]

// What breaks clients in one direction is compatible in the other, or the other way round; some break either way.
const rows: readonly Row[] = [
  [
    'a type',
    {},
    served({ models: ['User', 'Post'] }),
    ['- comments the type: gone', '- posts relationship comments: gone'],
    ['+ comments the type: new', '+ posts relationship comments: new'],
  ],
  [
    'an attribute',
    {},
    edited(['summary  String?', '']),
    ['- posts attribute summary: gone'],
    ['+ posts attribute summary: new'],
  ],
  [
    'an attribute that has to be sent',
    edited(['title    String', '']),
    {},
    ['+ posts attribute title: new', '- posts POST /posts without attribute title: refused'],
    ['- posts attribute title: gone'],
  ],
  [
    'a relation, with its URLs and all paths through it',
    {},
    relation('author', (field) => field.hidden()),
    ['- posts relationship author: gone'],
    ['+ posts relationship author: new', '- posts POST /posts without relationship author: refused'],
  ],
  [
    'what an attribute is',
    {},
    edited(['words    Int       @default(0)', 'words Boolean @default(false)']),
    [
      '- posts attribute words in answers: is boolean, was integer',
      '- posts attribute words on create: is boolean, was integer',
      '- posts attribute words on update: is boolean, was integer',
      '- posts filter[words][gt]: gone',
      '- posts filter[words][gte]: gone',
      '- posts filter[words][lt]: gone',
      '- posts filter[words][lte]: gone',
      '- posts filter[words][notIn]: gone',
      '- posts filters by words: is boolean, was integer',
    ],
    [
      '+ posts filter[words][gt]: new',
      '+ posts filter[words][gte]: new',
      '+ posts filter[words][lt]: new',
      '+ posts filter[words][lte]: new',
      '+ posts filter[words][notIn]: new',
      '- posts attribute words in answers: is integer, was boolean',
      '- posts attribute words on create: is integer, was boolean',
      '- posts attribute words on update: is integer, was boolean',
      '- posts filters by words: is integer, was boolean',
    ],
  ],
  [
    'an integer that is any number',
    telling(integer()),
    telling(number()),
    ['+ posts document of POST /posts/{id}/-actions/tell.meta.at: is number, was integer'],
    ['- posts document of POST /posts/{id}/-actions/tell.meta.at: is integer, was number'],
  ],
  [
    'an integer that is text',
    telling(integer()),
    telling(bigint()),
    ['- posts document of POST /posts/{id}/-actions/tell.meta.at: is string, was integer'],
    ['- posts document of POST /posts/{id}/-actions/tell.meta.at: is integer, was string'],
  ],
  [
    'whether an attribute may be null',
    {},
    edited(['summary  String?', 'summary String @default("")']),
    [
      '+ posts attribute summary in answers: may not be null any more',
      '- posts attribute summary on create: may not be null any more',
      '- posts attribute summary on update: may not be null any more',
      '- posts filter[summary][isNull]: gone',
      '- posts sort=summary:nullsFirst: gone',
      '- posts sort=summary:nullsLast: gone',
    ],
    [
      '+ posts attribute summary on create: may be null',
      '+ posts attribute summary on update: may be null',
      '+ posts filter[summary][isNull]: new',
      '+ posts sort=summary:nullsFirst: new',
      '+ posts sort=summary:nullsLast: new',
      '- posts attribute summary in answers: may be null',
    ],
  ],
  [
    'whether null is taken',
    ruled({ title: string().nullable() }),
    ruled({ title: string() }),
    [
      '- posts attribute title on create: may not be null any more',
      '- posts attribute title on update: may not be null any more',
    ],
    ['+ posts attribute title on create: may be null', '+ posts attribute title on update: may be null'],
  ],
  [
    'the values of an enumeration',
    {},
    edited(['  LIVE\n', '']),
    [
      '+ posts attribute state in answers: is never LIVE any more',
      '- posts attribute state on create: is never LIVE any more',
      '- posts attribute state on update: is never LIVE any more',
      '- posts filters by state: is never LIVE any more',
    ],
    [
      '+ posts attribute state on create: may be LIVE',
      '+ posts attribute state on update: may be LIVE',
      '+ posts filters by state: may be LIVE',
      '- posts attribute state in answers: may be LIVE',
    ],
  ],
  [
    'the values that are taken',
    ruled({ title: string() }),
    ruled({ title: enumOf(['A']) }),
    [
      '- posts attribute title on create: has only the values A',
      '- posts attribute title on update: has only the values A',
    ],
    [
      '+ posts attribute title on create: is no longer one of A',
      '+ posts attribute title on update: is no longer one of A',
    ],
  ],
  [
    'how long a text may be',
    ruled({ title: string().max(9) }),
    ruled({ title: string().max(5) }),
    [
      '- posts attribute title on create: has maxLength 5, had maxLength 9',
      '- posts attribute title on update: has maxLength 5, had maxLength 9',
    ],
    [
      '+ posts attribute title on create: has maxLength 9, had maxLength 5',
      '+ posts attribute title on update: has maxLength 9, had maxLength 5',
    ],
  ],
  [
    'how long a text has to be',
    ruled({ title: string() }),
    ruled({ title: string().min(2) }),
    [
      '- posts attribute title on create: has minLength 2, had no minLength',
      '- posts attribute title on update: has minLength 2, had no minLength',
    ],
    [
      '+ posts attribute title on create: has no minLength, had minLength 2',
      '+ posts attribute title on update: has no minLength, had minLength 2',
    ],
  ],
  [
    'the pattern of a text',
    ruled({ title: string().matches(/^a/) }),
    ruled({ title: string().matches(/^b/) }),
    [
      '- posts attribute title on create: has pattern ^b, had pattern ^a',
      '- posts attribute title on update: has pattern ^b, had pattern ^a',
    ],
    [
      '- posts attribute title on create: has pattern ^a, had pattern ^b',
      '- posts attribute title on update: has pattern ^a, had pattern ^b',
    ],
  ],
  [
    'how large a number may be',
    ruled({ words: integer().max(9) }),
    ruled({ words: integer().lessThan(9) }),
    [
      '+ posts attribute words on create: has no maximum, had maximum 9',
      '+ posts attribute words on update: has no maximum, had maximum 9',
      '- posts attribute words on create: has exclusiveMaximum 9, had no exclusiveMaximum',
      '- posts attribute words on update: has exclusiveMaximum 9, had no exclusiveMaximum',
    ],
    [
      '+ posts attribute words on create: has no exclusiveMaximum, had exclusiveMaximum 9',
      '+ posts attribute words on update: has no exclusiveMaximum, had exclusiveMaximum 9',
      '- posts attribute words on create: has maximum 9, had no maximum',
      '- posts attribute words on update: has maximum 9, had no maximum',
    ],
  ],
  [
    'a member of an object',
    ruled({ summary: object({ a: string() }) }),
    ruled({ summary: object({ b: string() }) }),
    [
      '+ posts attribute summary on create.b: new',
      '+ posts attribute summary on update.b: new',
      '- posts attribute summary on create.a: gone',
      '- posts attribute summary on update.a: gone',
    ],
    [
      '+ posts attribute summary on create.a: new',
      '+ posts attribute summary on update.a: new',
      '- posts attribute summary on create.b: gone',
      '- posts attribute summary on update.b: gone',
    ],
  ],
  [
    'a member that has to be there',
    ruled({ summary: object({ a: integer() }) }),
    ruled({ summary: object({ a: integer().required() }) }),
    ['- posts attribute summary on create.a: must be there', '- posts attribute summary on update.a: must be there'],
    [
      '+ posts attribute summary on create.a: may be left out',
      '+ posts attribute summary on update.a: may be left out',
    ],
  ],
  [
    'the items of a list',
    telling(array(string())),
    telling(array(string().max(3))),
    ['- posts document of POST /posts/{id}/-actions/tell.meta.at[]: has maxLength 3, had no maxLength'],
    ['+ posts document of POST /posts/{id}/-actions/tell.meta.at[]: has no maxLength, had maxLength 3'],
  ],
  [
    'whether an attribute has to be sent',
    ruled({ words: integer() }),
    ruled({ words: integer().required() }),
    ['- posts POST /posts without attribute words: refused'],
    ['+ posts POST /posts without attribute words: accepted'],
  ],
  [
    'whether a relation has to be sent',
    ruled({ author: toOne() }),
    ruled({ author: toOne().required() }),
    ['- posts POST /posts without relationship author: refused'],
    ['+ posts POST /posts without relationship author: accepted'],
  ],
  [
    'an attribute that is only read',
    {},
    attribute('words', (field) => field.asReadOnly()),
    ['- posts attribute words on create: gone', '- posts attribute words on update: gone'],
    ['+ posts attribute words on create: new', '+ posts attribute words on update: new'],
  ],
  [
    'an attribute that is only written',
    {},
    attribute('words', (field) => field.writeOnly()),
    ['- posts attribute words in answers: gone', '- posts filters by words: gone', '- posts sort=words: gone'],
    ['+ posts attribute words in answers: new', '+ posts filters by words: new', '+ posts sort=words: new'],
  ],
  [
    'a relation that is only read',
    {},
    relation('author', (field) => field.asReadOnly()),
    [
      '+ posts POST /posts without relationship author: accepted',
      '- posts PATCH /posts/{id}/relationships/author: gone',
      '- posts relationship author on create: gone',
      '- posts relationship author on update: gone',
    ],
    [
      '+ posts PATCH /posts/{id}/relationships/author: new',
      '+ posts relationship author on create: new',
      '+ posts relationship author on update: new',
      '- posts POST /posts without relationship author: refused',
    ],
  ],
  [
    'whether a relation may be empty',
    edited(['author   User ', 'author   User? '], ['authorId Int\n', 'authorId Int?\n']),
    {},
    [
      '- posts POST /posts without relationship author: refused',
      '- posts relationship author on create: may not be null any more',
      '- posts relationship author on update: may not be null any more',
    ],
    [
      '+ posts POST /posts without relationship author: accepted',
      '+ posts relationship author on create: may be null',
      '+ posts relationship author on update: may be null',
    ],
  ],
  [
    'how many identifiers a relation takes',
    {},
    served({ models: ['Post', 'Comment'], limits: { linkage: 10 } }),
    [
      '- posts relationship author: gone',
      '- posts relationship comments on create: has maxItems 10, had maxItems 1000',
      '- posts relationship comments on update: has maxItems 10, had maxItems 1000',
      '- users the type: gone',
    ],
    [
      '+ posts relationship author: new',
      '+ posts relationship comments on create: has maxItems 1000, had maxItems 10',
      '+ posts relationship comments on update: has maxItems 1000, had maxItems 10',
      '+ users the type: new',
      '- posts POST /posts without relationship author: refused',
    ],
  ],
  ['ids that clients choose', {}, posts(ChosenIds), ['+ posts id on create: new'], ['- posts id on create: gone']],
  [
    'ids that clients have to choose',
    { ...posts(ChosenIds), ...ruled({ id: clientId() }) },
    { ...posts(ChosenIds), ...ruled({ id: clientId().required() }) },
    ['- posts POST /posts without id: refused'],
    ['+ posts POST /posts without id: accepted'],
  ],
]

describe.each(rows)('%s', (_name, old, now, forth, back) => {
  test('that is another', () => expect(changesOf(old, now)).toEqual(forth))

  test('that is what it was again', () => expect(changesOf(now, old)).toEqual(back))
})
