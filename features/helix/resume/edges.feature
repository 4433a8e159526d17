@resume
Feature: Cursors at the edges

  @helix.resume.finished-tail @must
  Rule: After the last chunk of a finished stream comes the terminal frame

    Scenario Outline: Resuming at the last event of a stream that has <finished>
      Given a stream that holds events 1 to 3
      And the client attaches
      And the client receives what it missed
      And the stream has <finished>
      When the client resumes after event 3
      Then the answer is 200
      And the client receives the <frame> frame

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

  @helix.resume.no-content @must
  Rule: After the terminal frame there is no content

    Scenario Outline: Resuming <where> the terminal frame of a stream that has <finished>
      Given a stream that holds events 1 to 3
      And the stream has <finished>
      When the client resumes <where> the terminal frame
      Then the answer is <answer>

      Examples:
        | where  | finished | answer     |
        | at     | ended    | 204        |
        | at     | failed   | 204        |
        | beyond | ended    | 204 or 400 |
        | beyond | failed   | 204 or 400 |

  @helix.resume.beyond-latest @must-not @no-transcript:waiting-and-refusing-are-both-right
  Rule: Beyond the latest event nothing old is delivered

    Scenario Outline: Resuming <beyond> beyond the latest event
      Given a stream that holds events 1 to 3
      When the client resumes <beyond> beyond event 3
      Then the client receives nothing at or below its cursor while events 4 to 12 are written

      Examples:
        | beyond |
        | 1      |
        | 5      |

  @helix.resume.large-cursor @must-not
  Rule: A large cursor is beyond the latest event

    @no-transcript:waiting-and-refusing-are-both-right
    Scenario Outline: Resuming an active stream after <cursor> in the <place>
      Given a stream that holds events 1 to 3
      When the client resumes with the large cursor "<cursor>" in the <place>
      Then the client is refused, or receives no chunk before the end

      Examples:
        | cursor                                   | place  |
        | 2147483648                               | header |
        | 4294967296                               | header |
        | 4294967297                               | query  |
        | 9007199254740992                         | header |
        | 9223372036854775808                      | header |
        | 18446744073709551616                     | header |
        | 18446744073709551617                     | query  |
        | 1000000000000000000000000000000000000001 | header |
        | 1000000000000000000000000000000000000001 | query  |

    Scenario Outline: Resuming a stream that has ended after <cursor> in the <place>
      Given a stream that holds events 1 to 3
      And the stream has ended
      When the client resumes with the large cursor "<cursor>" in the <place>
      Then the answer is 204 or 400

      Examples:
        | cursor                                   | place  |
        | 2147483648                               | header |
        | 4294967296                               | query  |
        | 9007199254740992                         | header |
        | 9223372036854775808                      | header |
        | 18446744073709551616                     | header |
        | 1000000000000000000000000000000000000001 | query  |

  @helix.resume.invalid-cursor @must
  Rule: A cursor that is no number is refused

    Scenario Outline: The cursor "<cursor>" in the <place>
      Given a stream that holds events 1 to 2
      When the client resumes with the cursor "<cursor>" in the <place>
      Then the answer is 400

      Examples:
        | cursor | place  |
        | abc    | header |
        | -1     | header |
        | 1.5    | header |
        | 1e1    | header |
        | 0x1    | header |
        | 1 2    | header |
        | 1,2    | header |
        | +1     | header |
        | null   | header |
        | ١      | header |
        | abc    | query  |
        | -1     | query  |
        | 1.5    | query  |
        | 1e1    | query  |
        | NaN    | query  |
        | ١      | query  |

  @helix.resume.padded-cursor @must
  Rule: A padded cursor is refused or read as its number

    Scenario Outline: A cursor with <padding>
      Given a stream that holds events 1 to 12
      When the client resumes after event 10 with <padding> in the cursor
      Then the client receives events 11 to 12, or a 400

      Examples:
        | padding            |
        | leading zeros      |
        | surrounding spaces |

  @helix.resume.empty-cursor @should
  Rule: An empty cursor counts as none

    Scenario Outline: An empty cursor in the <place>
      Given a stream that holds events 1 to 3
      When the client resumes with the cursor "" in the <place>
      Then the client receives exactly events 1 to 3

      Examples:
        | place  |
        | header |
        | query  |
