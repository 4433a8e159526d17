@replicas @threads
Feature: Histories of a server that runs several times

  @aep.replicas.threads @aep.replicas.history @aep.replicas.foreign @aep.replicas.open @aep.replicas.resolved @must @must-not
  @no-transcript:the-seed-draws-what-is-played
  Rule: Whichever replica is asked, threads and what was asked on them are the same

    Scenario Outline: Any history of <subject>
      When histories of <subject> are drawn and played
      Then nothing was received that the spec rules out

      Examples:
        | subject                     |
        | threads on several replicas |

    @actions
    Scenario: Two replicas by turns, at once, and beside each other
      When this history is played
        """
        2 threads of two users
        a request of 2 messages with plain data of 3 bytes: says 3 words, calls plain data of 4 bytes, says 2 words
        the next replica is asked from now on
        a request of 1 message with plain data of 2 bytes: says 2 words, waits, repeats history
        the next replica is asked from now on
        a request of 1 message with plain data of 2 bytes: says 2 words, repeats history
        the later request gets its time
        everything is answered
        a request of 1 message with plain data of 1 bytes: says 1 words, asks plain data of 2 bytes, asks sample 3, asks plain data of 4 bytes
        the next replica is asked from now on
        a result comes twice at once
        a request of 1 message with plain data of 2 bytes and a result: repeats results, asks plain data of 2 bytes
        the next replica is asked from now on
        a request of 1 message with plain data of 2 bytes and a result again: repeats results
        a request of 1 message with plain data of 2 bytes and every result: repeats results
        the other user asks
        a request of 1 message with plain data of 2 bytes: says 2 words, waits, says 2 words
        the next replica is asked from now on
        the request is cancelled
        a request of 1 message with plain data of 2 bytes: repeats history
        """
      Then nothing was received that the spec rules out
