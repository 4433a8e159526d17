@durable @threads
Feature: Histories of a server that is killed

  @aep.durable.threads @aep.durable.history @aep.durable.open @aep.durable.resolved @must
  @no-transcript:the-seed-draws-what-is-played
  Rule: Whenever the server is killed, threads and what was asked on them are what they were

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                                |
        | a conversation whose server is killed  |

    @actions
    Scenario: Kills between requests, in the midst of them, and beside a result
      When this history is played
        """
        2 threads
        a request of 2 messages with plain data of 3 bytes: says 3 words, calls plain data of 4 bytes, says 2 words
        the server is killed and started again
        a request of 1 message with plain data of 2 bytes: says 2 words, repeats history
        on thread 2, a request of 1 message with plain data of 2 bytes: says 2 words, waits, says 2 words
        the agents go on and the server is killed
        on thread 2, a request of 1 message with plain data of 2 bytes: repeats history
        a request of 1 message with plain data of 1 bytes: says 1 words, asks plain data of 2 bytes, asks sample 3, asks plain data of 4 bytes
        the server is killed and started again
        a request of 1 message with plain data of 2 bytes and a result: repeats results
        the server is killed and started again
        a request of 1 message with plain data of 2 bytes and a result again: repeats results
        a request of 1 message with plain data of 2 bytes and a result: says 1 words, waits, says 1 words
        the server is killed and started again
        a request of 1 message with plain data of 2 bytes and results of which nothing came: repeats results
        a request is made and the server is killed
        a request of 1 message with plain data of 2 bytes and every result: repeats results
        """
      Then nothing was received that the spec rules out
