/** A refusal in the form of RFC 7644, 3.12. */
export class ScimError extends Error {
  constructor(
    readonly status: number,
    detail: string,
    /** RFC 7644, table 9. */
    readonly scimType?: 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'noTarget' | 'tooMany',
  ) {
    super(detail)
  }
}

/** @throws {ScimError} */
export function invalidValue(detail: string): never {
  throw new ScimError(400, detail, 'invalidValue')
}
