import type { Fields } from 'prismapi'
import VideoSchemaV1 from '../v1/video.schema.ts'

/** As in v1, with figures. */
export default class VideoSchema extends VideoSchemaV1 {
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
