import { annotationNames } from '../model/annotation-names.ts'
import type { ModelMeta } from '../model/meta.ts'
import { nearest } from '../model/nearest.ts'

/**
 * Words at the beginning of comments that look like annotations and are none: what they were to do is not done. A name with a dot
 * (`@zod.email`) belongs to another generator.
 */
export function unknownAnnotations({ name: model, documentation, columns, relations }: ModelMeta): readonly string[] {
  const commented = [
    [model, documentation] as const,
    ...[...Object.values(columns), ...Object.values(relations)].map(
      (field) => [`${model}.${field.name}`, field.documentation] as const,
    ),
  ]
  return commented.flatMap(([place, text]) =>
    [...(text ?? '').matchAll(/^@([A-Za-z][\w-]*)(?![\w.-])/gm)].map(([, word = '']) => {
      const meant = nearest(word, annotationNames)
      const cure = meant
        ? `Did you mean @${meant}?`
        : `The annotations are ${annotationNames.map((each) => `@${each}`).join(', ')}.`
      return `${place}: @${word} in its comment is no annotation, and documents say it as a text. ${cure}`
    }),
  )
}
