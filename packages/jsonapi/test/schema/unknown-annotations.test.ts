import { expect, test } from 'vitest'
import { resources } from '../../../../prisma/generated/resources.ts'
import type { ColumnMeta, ModelMeta } from '../../src/model/meta.ts'
import { unknownAnnotations } from '../../src/schema/notes.ts'

const post = resources.models.Post as ModelMeta
const commented = (documentation: string): ModelMeta => ({
  ...post,
  documentation: null,
  columns: { title: { ...(post.columns.title as ColumnMeta), documentation } },
  relations: {},
})

test.each([
  ['@writeOnce', 'Did you mean @writeOnly?'],
  [
    'A title.\n@secret',
    'The annotations are @hidden, @readOnly, @writeOnly, @version, @date, @time, @untrusted, @search.',
  ],
])('a word that is no annotation is named: %s', (text, cure) => {
  const word = text.slice(text.indexOf('@'))
  expect(unknownAnnotations(commented(text))).toEqual([
    `Post.title: ${word} in its comment is no annotation, and documents say it as a text. ${cure}`,
  ])
})

test.each(['Mail to a@b.c.', '@zod.email()', 'Written @ home'])('a text is none: %s', (text) => {
  expect(unknownAnnotations(commented(text))).toEqual([])
})
