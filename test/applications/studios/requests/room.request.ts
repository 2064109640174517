import { decimal, ResourceRequest, string } from 'prismapi'

const rules = {
  name: string().required().max(100),
  hourlyRate: decimal({ precision: 12, scale: 2 }).positive().max(10_000).required(),
}

export default class RoomRequest extends ResourceRequest<'Room'> {
  override rules() {
    return this.checked(rules)
  }
}
