import type { MailOutcome } from '../actions/incoming-mail/accept-mail.js'

/** Counts of the mails that a worker received, by what became of them. */
export class MailCounts {
  readonly outcomes: Record<MailOutcome | 'refused' | 'failed', number> = {
    accepted: 0,
    repeated: 0,
    dropped: 0,
    foreign: 0,
    refused: 0,
    failed: 0,
  }
}
