import { expect, test } from 'vitest'
import { annotationProblems } from '../../src/generator/check-annotations.ts'
import { datamodel, field, model } from './dmmf.ts'

const problemsOf = (documentation: string, over: Parameters<typeof field>[1] = {}) =>
  annotationProblems(datamodel([model('User', [field('name', { documentation, ...over })])]))

test('right annotations are no problem', () => {
  expect(problemsOf('@hidden')).toEqual([])
  expect(problemsOf('@hidden @readOnly')).toEqual([])
  expect(problemsOf('@writeOnly')).toEqual([])
  expect(problemsOf('@readOnly', { isId: true })).toEqual([])
})

test('@version stands above one required Int of a model', () => {
  const counts = { type: 'Int' }
  expect(problemsOf('@version', counts)).toEqual([])
  expect(problemsOf('@hidden @version', counts)).toEqual([])
  const wrong = 'model User, field name: @version stands above a required Int, which counts the changes of the row.'
  expect(problemsOf('@version')).toEqual([wrong])
  expect(problemsOf('@version', { ...counts, isRequired: false })).toEqual([wrong])
  expect(problemsOf('@version', { ...counts, isList: true })).toEqual([wrong])
  expect(problemsOf('@versoin', counts)).toEqual([
    'model User, field name: @versoin is not an annotation. Did you mean @version?',
  ])
  const two = ['first', 'second'].map((name) => field(name, { ...counts, documentation: '@version' }))
  expect(annotationProblems(datamodel([model('User', two)]))).toEqual([
    'model User, field second: @version stands above first already, and a row has one version.',
  ])
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

test('models take no other annotation, enums and their values none', () => {
  const role = {
    name: 'Role',
    documentation: '@hidden',
    values: [{ name: 'A', dbName: null, documentation: '@hiden' }],
  }
  const user = model('User', [], { documentation: 'People.\n@readOnly' })
  expect(annotationProblems(datamodel([user], [role]))).toEqual([
    'model User: @readOnly means nothing on a model. Annotate its fields, or write @hidden for a model that no server serves.',
    'enum Role: @hidden means nothing on an enum. Annotate the fields of that type.',
    'enum Role, value A: @hiden means nothing on an enum. Annotate the fields of that type.',
  ])
})

test('a model may be hidden, and nothing else; a misspelling is told', () => {
  const problems = (documentation: string) => annotationProblems(datamodel([model('Key', [], { documentation })]))
  expect(problems('@hidden\nKeys.')).toEqual([])
  expect(problems('@hiden')).toEqual(['model Key: @hiden is not an annotation. Did you mean @hidden?'])
})

test('every problem is told, in the order of the schema', () => {
  const fields = [field('a', { documentation: '@hiden' }), field('b', { documentation: '@readonly' })]
  expect(annotationProblems(datamodel([model('User', fields)]))).toEqual([
    'model User, field a: @hiden is not an annotation. Did you mean @hidden?',
    'model User, field b: @readonly is not an annotation. Did you mean @readOnly?',
  ])
})

test('@date and @time stand above a DateTime', () => {
  const instant = { type: 'DateTime' }
  expect(problemsOf('@date', instant)).toEqual([])
  expect(problemsOf('@time', { ...instant, isId: true })).toEqual([])
  const wrong = 'model User, field name: @date stands above a DateTime that is not @updatedAt. Remove it.'
  expect(problemsOf('@date')).toEqual([wrong])
  expect(problemsOf('@date', { ...instant, isUpdatedAt: true })).toEqual([wrong])
  expect(problemsOf('@date @time', instant)).toEqual([
    'model User, field name: @date and @time contradict each other. Keep one of them.',
  ])
  expect(problemsOf('@dat', instant)).toEqual([
    'model User, field name: @dat is not an annotation. Did you mean @date?',
  ])
})
