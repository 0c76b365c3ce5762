import type { Topic } from '../state/chat-state.js'
import { setTopics } from '../state/topics.js'
import type { Chat } from './chat.js'

/** Fetches the topics of a channel unless the state has them. @throws {RequestError} */
export async function fetchTopics(chat: Chat, channelId: number): Promise<void> {
  if (chat.state.topics[channelId]) return
  const answer = await chat.ask('GET', `/users/me/${channelId}/topics`, { allow_empty_topic_name: true })
  chat.change(state => setTopics(state, channelId, answer.topics as Topic[]))
}
