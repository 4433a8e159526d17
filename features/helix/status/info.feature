@info
Feature: What StreamInfo says

  @helix.status.info-members @must
  Rule: StreamInfo has three members

    Scenario: The info of a stream with chunks
      Given a stream that holds events 1 to 3
      When the info of the stream is asked for
      Then the info counts 3 chunks
      And no exchange of this scenario breaks this rule

    Scenario: The info of an empty stream
      Given a new stream
      When the info of the stream is asked for
      Then the info counts 0 chunks
      And no exchange of this scenario breaks this rule

  @helix.status.info-word @must
  Rule: There are four words for the status

    Scenario Outline: The word for a stream that has <finished>
      Given a stream that holds event 1
      And the stream has <finished>
      When the info of the stream is asked for
      Then the info says the status "<finished>"
      And no exchange of this scenario breaks this rule

      Examples:
        | finished |
        | ended    |
        | failed   |

  @helix.status.info-unknown @must
  Rule: A stream that never was has no info

    Scenario: The info of a stream that never was
      When the info of a stream that never was is asked for
      Then the answer is 404

  @helix.status.latest @must
  Rule: latestSequence is the highest that was assigned

    Scenario Outline: The latest of <n> events
      Given a stream that holds events 1 to <n>
      When the info of the stream is asked for
      Then the latest sequence of the info is that of event <n>

      Examples:
        | n  |
        | 1  |
        | 9  |
        | 10 |

    Scenario Outline: The latest of a stream that has <finished>
      Given a stream that holds events 1 to 3
      And the stream has <finished>
      When the info of the stream is asked for
      Then the latest sequence of the info is that of event 3

      Examples:
        | finished |
        | ended    |
        | failed   |

    Scenario: The latest of none
      Given a new stream
      When the info of the stream is asked for
      Then the latest sequence of the info is 0

    @reset
    Scenario Outline: The latest after the reset of a stream that has <finished>
      Given a stream that holds events 1 to 3
      And an attached client
      And the stream has <finished>
      And a reset of the stream is asked for
      When the info of the stream is asked for
      Then the latest sequence of the info is 0 or that of event 3, unless the reset was refused

      Examples:
        | finished |
        | ended    |
        | failed   |

    @reset
    Scenario: The latest after the reset of an active stream
      Given a stream that holds events 1 to 3
      And an attached client
      And a reset of the stream is asked for
      When the info of the stream is asked for
      Then the latest sequence of the info is 0 or that of event 3, unless the reset was refused

  @helix.status.count @must
  Rule: chunkCount is how many are stored

    Scenario Outline: Counting <n> events
      Given a stream that holds events 1 to <n>
      When the info of the stream is asked for
      Then the info counts <n> chunks

      Examples:
        | n  |
        | 1  |
        | 11 |

    Scenario: Counting an array
      Given a stream that holds event 1
      And the writer writes events 2 to 5 in one call
      When the info of the stream is asked for
      Then the info counts 5 chunks

    Scenario: Counting after the end
      Given a stream that holds events 1 to 3
      And the stream has ended
      When the info of the stream is asked for
      Then the info counts 3 chunks

    Scenario: Counting nothing
      Given a new stream
      When the info of the stream is asked for
      Then the info counts 0 chunks

  @helix.status.transitions @must
  Rule: The status follows the stream

    Scenario: A new stream is active
      Given a new stream
      When the info of the stream is asked for
      Then the info says the status "active"

    Scenario Outline: A stream that has <finished>
      Given a stream that holds event 1
      And the stream has <finished>
      When the info of the stream is asked for
      Then the info says the status "<finished>"

      Examples:
        | finished |
        | ended    |
        | failed   |

    @status
    Scenario: A paused stream
      Given a stream that holds event 1
      And the stream is made paused
      When the info of the stream is asked for
      Then the info says the status "paused"

    @status
    Scenario: A stream that is active again
      Given a stream that holds event 1
      And the stream is made paused
      And the stream is made active
      When the info of the stream is asked for
      Then the info says the status "active"

    @status
    Scenario: A stream that ends while it is paused
      Given a stream that holds event 1
      And the stream is made paused
      And the stream has ended
      When the info of the stream is asked for
      Then the info says the status "ended"

  @helix.status.final @must-not @status
  Rule: Finished is finished

    Scenario Outline: Asking to make <status> what has <finished>
      Given a stream that holds event 1
      And the stream has <finished>
      And a call asks to make the stream <status>
      When the info of the stream is asked for
      Then the info says the status "<finished>"

      Examples:
        | finished | status |
        | ended    | active |
        | failed   | active |
        | ended    | paused |
        | failed   | paused |
