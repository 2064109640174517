import { enumOf, ResourceRequest, string, unique } from 'prismapi'

const rules = {
  name: string().required().max(200),
  email: string().email().required().max(200).test(unique()),
  role: enumOf(['OWNER', 'DESK', 'ENGINEER']).required(),
}

export default class MemberRequest extends ResourceRequest<'Member'> {
  override rules() {
    return this.checked(rules)
  }
}
