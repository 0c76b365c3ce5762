import { type JSX, Show } from 'solid-js'
import { personOf } from '../../../state/people.js'
import { useChat } from '../../chat.js'
import { useView } from '../../view.js'
import { PeopleTable } from './people-table.js'
import { PersonEditor } from './person/person-editor.js'

/** The people of the organization, or the one of the address. */
export function People(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const userId = () => {
    const id = Number(view.settings()?.entry)
    return personOf(chat.state, id) ? id : undefined
  }
  return (
    <Show when={userId()} keyed fallback={<PeopleTable />}>
      {id => <PersonEditor userId={id} />}
    </Show>
  )
}
