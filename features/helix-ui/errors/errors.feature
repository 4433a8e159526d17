Feature: Errors

  @helix-ui.errors.told @must
  Rule: A failure is told

    Scenario: A model that refuses
      When a request with this script:
        """
        [{"fail": "no model"}]
        """
      Then the failure is told with an error part, a status of 400 or more, or a broken connection

    Scenario: A model that breaks off
      When a request with this script:
        """
        [{"text": "It is"}, {"fail": "no model"}]
        """
      Then the failure is told with an error part, a status of 400 or more, or a broken connection

  @helix-ui.errors.part @should
  Rule: A failure is a part

    Scenario: A model that breaks off in a text
      When a request with this script:
        """
        [{"text": "It may"}, {"fail": "no model"}]
        """
      Then the failure is told with an error part

  @helix-ui.errors.silent @should-not
  Rule: No content begins after an error

    Scenario: An error in a text
      When a request with this script:
        """
        [{"text": "It was"}, {"fail": "no model"}]
        """
      Then no text of the response holds "no model"
      And no exchange of this scenario breaks this rule
