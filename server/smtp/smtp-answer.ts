/** An answer of SMTP other than success; `code` from 500 on: sending the mail again is of no use. */
export class SmtpAnswer extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message)
  }
}

export const unknownAddress = () => new SmtpAnswer(550, 'There is no such address')
export const tooMany = () => new SmtpAnswer(451, 'Too many mails: send it again later')
export const unreadable = () => new SmtpAnswer(554, 'The mail cannot be read')
export const failed = () => new SmtpAnswer(451, 'The server cannot take mail just now: send it again later')
