import type { DMMF } from '../prisma/schema-description.ts'
import { type Annotation, type Misspelling, parseComment } from './annotations.ts'
import { toKeys } from './keys.ts'
import { foreignKeyColumns } from './relations.ts'

/** Every annotation that cannot be: one line each, without the file's name; empty when all is well. */
export function annotationProblems({ models, enums }: DMMF.Datamodel): string[] {
  return [...models.flatMap(modelProblems), ...enums.flatMap(enumProblems)]
}

function modelProblems(model: DMMF.Model): string[] {
  return [
    ...ofModel(model),
    ...model.fields.flatMap((field) => {
      const place = `model ${model.name}, field ${field.name}`
      const { annotations, misspelt } = parseComment(field.documentation)
      const wrong = misspelt.map(({ word, meant }) => `@${word} is not an annotation. Did you mean @${meant}?`)
      const problems = [
        ...wrong,
        ...contradictions(annotations),
        ...misplaced(annotations, model, field),
        ...clockProblems(annotations, field),
        ...searchProblems(annotations, field),
      ]
      return [...problems, ...versionProblems(model, field)].map((problem) => `${place}: ${problem}`)
    }),
  ]
}

function ofModel({ name, documentation }: DMMF.Model): string[] {
  const { annotations, misspelt } = parseComment(documentation)
  const [meant, foreign] = [misspelt.filter(isHidden), misspelt.filter((each) => !isHidden(each))]
  const words = [...[...annotations].filter((word) => word !== 'hidden'), ...foreign.map(({ word }) => word)]
  const why = 'on a model. Annotate its fields, or write @hidden for a model that no server serves.'
  return [
    ...meant.map(({ word }) => `model ${name}: @${word} is not an annotation. Did you mean @hidden?`),
    ...words.map((word) => `model ${name}: @${word} means nothing ${why}`),
  ]
}

const isHidden = ({ meant }: Misspelling): boolean => meant === 'hidden'

function enumProblems(type: DMMF.DatamodelEnum): string[] {
  // Prisma 7.10 gives the comments of values, its types do not say so.
  const values: readonly { readonly name: string; readonly documentation?: string }[] = type.values
  const why = 'on an enum. Annotate the fields of that type.'
  return [
    ...notHere(type.documentation, `enum ${type.name}`, why),
    ...values.flatMap((value) => notHere(value.documentation, `enum ${type.name}, value ${value.name}`, why)),
  ]
}

function notHere(documentation: string | undefined, place: string, why: string): string[] {
  const { annotations, misspelt } = parseComment(documentation)
  const words = [...annotations, ...misspelt.map(({ word }) => word)]
  return words.map((word) => `${place}: @${word} means nothing ${why}`)
}

function contradictions(annotations: ReadonlySet<Annotation>): string[] {
  if (!annotations.has('writeOnly')) return []
  const shown = annotations.has('readOnly') ? ['@readOnly and @writeOnly contradict each other. Use @hidden.'] : []
  const taken = annotations.has('hidden') ? ['@hidden and @writeOnly contradict each other. Keep one of them.'] : []
  return [...shown, ...taken]
}

/** `@date` and `@time` say which half of a `DateTime` means something. */
function clockProblems(annotations: ReadonlySet<Annotation>, { type, isUpdatedAt }: DMMF.Field): string[] {
  const words = [...annotations].filter(isOfClock)
  if (words.length > 1) return ['@date and @time contradict each other. Keep one of them.']
  if (type === 'DateTime' && isUpdatedAt !== true) return []
  return words.map((word) => `@${word} stands above a DateTime that is not @updatedAt. Remove it.`)
}

/** `@search` has clients search a text by its words. */
const searchProblems = (annotations: ReadonlySet<Annotation>, { type, isList }: DMMF.Field): string[] =>
  annotations.has('search') && (type !== 'String' || isList)
    ? ['@search stands above a String, whose words are searched. Remove it.']
    : []

const isOfClock = (word: Annotation): boolean => word === 'date' || word === 'time'

function misplaced(annotations: ReadonlySet<Annotation>, model: DMMF.Model, field: DMMF.Field): string[] {
  const words = [...annotations].filter((word) => !isOfClock(word))
  if (words.length === 0) return []
  if (toKeys(model, []).key.includes(field.name)) {
    const refused = words.filter((word) => word !== 'readOnly')
    return refused.map((word) => `@${word} cannot stand on an id, which every resource shows. Remove it.`)
  }
  const relation = foreignKeyColumns(model).get(field.name)
  if (relation === undefined) return []
  return words.map((word) => `@${word} means nothing on a foreign key. Write it above the relation ${relation}.`)
}

/** What is wrong with `@version` above a field; empty where it does not stand there. */
function versionProblems(model: DMMF.Model, field: DMMF.Field): string[] {
  if (!isVersion(field)) return []
  const isCounter = field.type === 'Int' && field.isRequired && !field.isList
  const first = model.fields.find(isVersion)
  return [
    ...(isCounter ? [] : ['@version stands above a required Int, which counts the changes of the row.']),
    ...(first === field ? [] : [`@version stands above ${first?.name} already, and a row has one version.`]),
  ]
}

const isVersion = ({ documentation }: DMMF.Field): boolean => parseComment(documentation).annotations.has('version')
