import { createSignal, type JSX, Show } from 'solid-js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

export function CreateChannel(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [error, setError] = createSignal('')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    try {
      const { id } = await chat.ask('POST', '/channels/create', {
        name: String(form.get('name')).trim(),
        description: String(form.get('description')).trim(),
        invite_only: form.get('private') === 'on',
        subscribers: [chat.state.user_id],
      })
      view.open(undefined)
      view.go({ kind: 'channel', channelId: id as number })
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  return (
    <Dialog title="New channel">
      <form class="dialog-form" onSubmit={submit}>
        <label class="field">
          Name
          <input class="input" name="name" required maxLength={60} autofocus />
        </label>
        <label class="field">
          What it is for
          <input class="input" name="description" maxLength={1024} />
        </label>
        <label class="check">
          <input type="checkbox" name="private" /> Private: only who is in it sees it
        </label>
        <Show when={error()}>
          <p class="notice bad" role="alert">
            {error()}
          </p>
        </Show>
        <button type="submit" class="button primary">
          Create channel
        </button>
      </form>
    </Dialog>
  )
}
