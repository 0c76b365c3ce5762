import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
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
    <Dialog title={t('channels.newTitle')}>
      <form class="dialog-form" onSubmit={submit}>
        <label class="field">
          {t('words.name')}
          <input class="input" dir="auto" name="name" required maxLength={60} autofocus />
        </label>
        <label class="field">
          {t('channels.purpose')}
          <input class="input" dir="auto" name="description" maxLength={1024} />
        </label>
        <label class="check">
          <input type="checkbox" name="private" /> {t('channels.isPrivate')}
        </label>
        <Show when={error()}>
          <p class="notice bad" role="alert">
            {error()}
          </p>
        </Show>
        <button type="submit" class="button primary">
          {t('channels.createChannel')}
        </button>
      </form>
    </Dialog>
  )
}
