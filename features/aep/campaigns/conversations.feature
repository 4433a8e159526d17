Feature: Histories of conversations

  @aep.content.text @aep.actions.action-required @aep.actions.all-or-none @aep.actions.foreign
  @aep.actions.members @aep.actions.other-thread @aep.actions.others-open @aep.actions.pauses
  @aep.actions.resolved @aep.actions.result @aep.actions.resumed @aep.actions.same-thread @aep.actions.unchanged
  @aep.actions.unknown @aep.cancel.aborted @aep.cancel.foreign @aep.cancel.one @aep.cancel.silent
  @aep.content.final-text @aep.content.text-delta @aep.content.thinking-apart @aep.content.whole-characters
  @aep.done.arguments @aep.done.call @aep.done.complete @aep.done.content @aep.done.finish-reason
  @aep.done.no-action @aep.done.outcome @aep.done.same-thread @aep.done.text @aep.errors.agent @aep.errors.code
  @aep.errors.in-stream @aep.errors.retryable @aep.errors.tool @aep.events.integers @aep.events.members
  @aep.events.object @aep.events.request-id @aep.events.same-request @aep.events.timestamp
  @aep.events.unique-request @aep.flow.body-closes @aep.flow.disconnect @aep.flow.done @aep.flow.metadata-first
  @aep.flow.metadata-members @aep.flow.metadata-once @aep.flow.terminal @aep.flow.terminal-last @aep.http.credential @aep.http.status
  @aep.request.context @aep.request.messages-array @aep.request.messages-required @aep.request.post @aep.request.text-blocks
  @aep.request.too-large
  @aep.security.isolation @aep.security.no-secret-echo @aep.stages.after-stop @aep.stages.block-id @aep.stages.block-index
  @aep.stages.delta-index @aep.stages.delta-order @aep.stages.index-unique @aep.stages.one-start
  @aep.stages.same-event @aep.stages.stage @aep.stages.start-first @aep.threads.created @aep.threads.echoed
  @aep.threads.foreign @aep.threads.history @aep.threads.isolation @aep.threads.unfinished-answer
  @aep.threads.unknown @aep.tools.arguments @aep.tools.call @aep.tools.final-arguments @aep.tools.one-value
  @aep.tools.payload-hidden @aep.tools.result @aep.tools.result-after-call @aep.tools.summary-only
  @aep.wire.blank-line @aep.wire.cache-control @aep.wire.content-type @aep.wire.json @aep.wire.live
  @aep.wire.named @aep.wire.same-name @aep.wire.utf8 @must @must-not @no-transcript:the-seed-draws-what-is-played
  Rule: Whatever is asked and done on a thread, its responses are what the spec says

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                    |
        | a conversation             |
        | a long conversation        |
        | answers that hold data     |
        | conversations side by side |
        | long answers               |
        | requests that are stopped  |
        | what the client has to do  |

    Scenario: Requests side by side, a cut, results one by one and a cancellation
      When this history is played
        """
        3 threads of two users
        a request of 2 messages with accents data of 20 bytes: says 3 words, waits, says plain data of 9 bytes, repeats messages, repeats context
        on thread 2, a request of 1 message with any data of 10 bytes, read late: thinks 4 words, calls any data of 20 bytes, repeats history
        the agent goes on
        a request of 1 message with plain data of 1 bytes: repeats history, asks any data of 4 bytes, asks plain data of 9 bytes
        a request of 1 message with plain data of 2 bytes and a result: repeats results, repeats history
        a request of 1 message with plain data of 2 bytes and a result again: repeats results
        on thread 3, a request of 1 message with plain data of 2 bytes and a result of another thread: repeats results
        a request of 1 message with plain data of 2 bytes and a result beside one of nothing: repeats results
        a request of 1 message with plain data of 2 bytes and an error: repeats results
        on thread 3, a request of 1 message with plain data of 2 bytes: says 2 words, waits, says 2 words
        on thread 3, the other user cancels the request
        a request of 1 message with plain data of 2 bytes: says 2 words, waits, says 2 words
        a request of 1 message with plain data of 2 bytes: waits, repeats history
        the request is cancelled
        on thread 2, a request of 1 message with plain data of 2 bytes: calls in vain plain data of 3 bytes, waits, says 2 words
        on thread 2, the reader leaves
        requests that are over are cancelled
        on thread 3, the agent goes on
        the other user asks
        a thread that never was is asked for, named as the beginning of another
        a request without messages
        on thread 2, 2 requests that nobody waits for
        a request of 2 messages with sample 11, over gzip: says sample 7, waits, says every data of 3 bytes, calls sample 4, calls sample 4, asks sample 6
        the last request is made again
        a result comes twice at once
        a request of 1 message with sample 40: calls sample 5, says only sample 41
        sample 42 is said on every thread
        a request of 1 message with plain data of 1 bytes: asks sample 0, asks sample 3, asks sample 6
        a request of 1 message with plain data of 1 bytes and a result, over HTTP/2: fails with agent_error
        a request of 1 message with plain data of 1 bytes and results of which nothing came: repeats results
        a request of 1 message with plain data of 2 bytes and a result twice: repeats results
        a request of 1 message with plain data of 2 bytes and a result beside one without an action: repeats results
        a request of a message that is too large
        a request whose messages are none
        a request of 1 message with plain data of 2 bytes and results and errors: repeats results
        somebody asks whose credential is nearly right
        a request of 1 message with plain data of 1 bytes: waits, says 2 words
        a request of 1 message with plain data of 1 bytes: says 2 words, waits, says 2 words
        the later request is cancelled
        two more requests are made meanwhile
        the last request is made again
        """
      Then nothing was received that the spec rules out
