import { createSignal, type JSX, Show } from 'solid-js'
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
  const [error, setError] = createSignal('')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    try {
      await props.work(new FormData(event.currentTarget as HTMLFormElement))
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  return (
    <Dialog title={props.title} back={props.back}>
      <form class="dialog-form" onSubmit={submit}>
        {props.children}
        <Show when={error()}>
          <p class="notice bad" role="alert">
            {error()}
          </p>
        </Show>
        <button type="submit" class="button primary">
          {props.submit}
        </button>
      </form>
    </Dialog>
  )
}
