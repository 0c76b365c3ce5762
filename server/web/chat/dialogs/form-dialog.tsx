import type { JSX } from 'solid-js'
import { createAttempts } from '../../look/attempts.js'
import { ErrorNotice } from '../../look/error-notice.js'
import { Dialog, type Way } from './dialog.js'

interface FormDialogProps {
  readonly title: string
  /** Of the button that sends the form. */
  readonly submit: string
  readonly back?: Way
  work(form: FormData): Promise<unknown>
  /** The fields. */
  readonly children: JSX.Element
}

/** A dialog with a form; it shows why the form was refused. */
export function FormDialog(props: FormDialogProps): JSX.Element {
  const { error, attempt } = createAttempts()
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void attempt(() => props.work(form))
  }
  return (
    <Dialog title={props.title} back={props.back}>
      <form class="dialog-form" onSubmit={submit}>
        {props.children}
        <ErrorNotice text={error()} />
        <button type="submit" class="button primary">
          {props.submit}
        </button>
      </form>
    </Dialog>
  )
}
