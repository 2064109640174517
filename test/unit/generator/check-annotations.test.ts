import { expect, test } from 'vitest'
import { annotationProblems } from '../../../src/generator/check-annotations.ts'
import { datamodel, field, model } from './dmmf.ts'

const problemsOf = (documentation: string, over: Parameters<typeof field>[1] = {}) =>
  annotationProblems(datamodel([model('User', [field('name', { documentation, ...over })])]))

test('right annotations are no problem', () => {
  expect(problemsOf('@hidden')).toEqual([])
  expect(problemsOf('@hidden @readOnly')).toEqual([])
  expect(problemsOf('@writeOnly')).toEqual([])
  expect(problemsOf('@readOnly', { isId: true })).toEqual([])
})

test('a misspelling names model, field and the right word', () => {
  expect(problemsOf('@hiden')).toEqual(['model User, field name: @hiden is not an annotation. Did you mean @hidden?'])
})

test('what is neither shown nor taken is hidden, so @readOnly with @writeOnly is refused', () => {
  expect(problemsOf('@readOnly\n@writeOnly')).toEqual([
    'model User, field name: @readOnly and @writeOnly contradict each other. Use @hidden.',
  ])
})

test('@hidden with @writeOnly is refused', () => {
  expect(problemsOf('@hidden\n@writeOnly')).toEqual([
    'model User, field name: @hidden and @writeOnly contradict each other. Keep one of them.',
  ])
})

test('an id cannot be hidden, be it @id, a part of @@id or the unique that stands for it', () => {
  const expected = ['model User, field name: @hidden cannot stand on an id, which every resource shows. Remove it.']
  expect(problemsOf('@hidden', { isId: true })).toEqual(expected)
  expect(problemsOf('@hidden', { isUnique: true })).toEqual(expected)
  const fields = [field('name', { documentation: '@hidden' }), field('other')]
  const composite = model('User', fields, { primaryKey: { name: null, fields: ['name', 'other'] } })
  expect(annotationProblems(datamodel([composite]))).toEqual(expected)
})

test('a unique field beside an id can be hidden', () => {
  const fields = [field('id', { isId: true }), field('name', { isUnique: true, documentation: '@hidden' })]
  expect(annotationProblems(datamodel([model('User', fields)]))).toEqual([])
})

test('an annotation on a foreign key is sent to its relation', () => {
  const relation = field('author', { kind: 'object', type: 'User', relationFromFields: ['authorId'] })
  const post = model('Post', [field('id', { isId: true }), field('authorId', { documentation: '@hidden' }), relation])
  expect(annotationProblems(datamodel([post]))).toEqual([
    'model Post, field authorId: @hidden means nothing on a foreign key. Write it above the relation author.',
  ])
})

test('models, enums and their values take no annotations', () => {
  const role = {
    name: 'Role',
    documentation: '@hidden',
    values: [{ name: 'A', dbName: null, documentation: '@hiden' }],
  }
  const user = model('User', [], { documentation: 'People.\n@readOnly' })
  expect(annotationProblems(datamodel([user], [role]))).toEqual([
    'model User: @readOnly means nothing on a model. Annotate its fields, or leave its type out of the server that should not show it.',
    'enum Role: @hidden means nothing on an enum. Annotate the fields of that type.',
    'enum Role, value A: @hiden means nothing on an enum. Annotate the fields of that type.',
  ])
})

test('every problem is told, in the order of the schema', () => {
  const fields = [field('a', { documentation: '@hiden' }), field('b', { documentation: '@readonly' })]
  expect(annotationProblems(datamodel([model('User', fields)]))).toEqual([
    'model User, field a: @hiden is not an annotation. Did you mean @hidden?',
    'model User, field b: @readonly is not an annotation. Did you mean @readOnly?',
  ])
})
