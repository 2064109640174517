import type { Fields } from 'prismapi'
import { resources } from '../../../prisma/generated/resources.ts'
import VideoSchemaV1 from '../v1/video.schema.ts'

/** As in v1, with figures. */
export default class VideoSchema extends VideoSchemaV1 {
  // The tests run it on MariaDB, too, which has no such search.
  override readonly search =
    resources.provider === 'mysql' ? undefined : { fields: ['title'] as const, language: 'english' }

  override fields(): Fields {
    return [
      ...super.fields(),
      this.attribute('durationSeconds').aggregatable(),
      this.attribute('rating').aggregatable(),
      this.attribute('featured').groupable(),
      this.relation('owner').groupable(),
    ]
  }
}
