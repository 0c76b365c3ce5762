import { confirm, isCancel } from '@clack/prompts'
import { AdminError } from './admin-error.js'

/**
 * Asks the user at the terminal for confirmation; `--yes` skips the question.
 * @throws {AdminError} if the answer is no, and without a terminal
 */
export async function confirmed(yes: boolean, question: string): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new AdminError(`${question} The input is not a terminal, so confirm with --yes.`, 'CONFIRMATION_NEEDED')
  }
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr })
  if (isCancel(answer) || !answer) throw new AdminError('Nothing was done.', 'NOT_CONFIRMED')
}
