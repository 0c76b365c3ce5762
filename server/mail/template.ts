import type { MailContent, MailKind } from '../job-types/mail.js'

/** A paragraph is a text of one line. Templates insert texts as they are: only `composeMail` writes HTML. */
export type Paragraph =
  | string
  /** A link with the text before it. */
  | { readonly link: string; readonly label: string }
  /** A link whose text says what it does; mails as text show its address, too. */
  | { readonly action: string; readonly link: string }
  /** What a person has written, with its line breaks. */
  | { readonly quote: string }
  /** A message: `by` is the line above it, `html` as in `rendered_content`. `isContext`: it stands back behind others. */
  | { readonly by: string; readonly html: string; readonly isContext?: boolean; readonly zone: string }
  | { readonly heading: string }

export interface Letter {
  readonly subject: string
  readonly body: readonly Paragraph[]
  /** In small letters, above the name of the organization. */
  readonly footer?: readonly Paragraph[]
  /** Where answers are read; absent or null: nowhere. */
  readonly replyTo?: string | null
  /** Mails with the same text, which only this server sees, are one thread. */
  readonly thread?: string
}

/** What all templates know. */
export interface Sender {
  /** The name of the organization. */
  readonly organization: string
  /** Its public address, without a trailing slash. */
  readonly url: string
  /** The address of the link that ends mails of this kind; absent: there is none. */
  readonly unsubscribe?: string | undefined
}

type Values<Kind extends MailKind> = Extract<MailContent, { kind: Kind }>

type Words<Kind extends MailKind> = (values: Values<Kind>, sender: Sender) => Letter

/** The languages of mails. Each template has all of them. */
export const mailLanguages = ['en', 'de'] as const

export type MailLanguage = (typeof mailLanguages)[number]

/** The words of one kind of mail in each language. */
export type Template<Kind extends MailKind> = Readonly<Record<MailLanguage, Words<Kind>>>
